from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.rules import _mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ061", severity=Severity.ERROR, source="Linux: mount(8)")
def share_mounts_overlap(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """Two volumes are mounted on the same folder, or one inside the other.

    Of two mounts on one folder only the later one is visible. A mount inside another needs a folder
    there, and disappears when the outer one is mounted after it.

    Mount them side by side, for example on /mnt/a and /mnt/b.
    """
    yield from _mounts.overlapping(storage.volumes, context)
