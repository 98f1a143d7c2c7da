from clusterprint.blueprint.storage import VmStorage
from clusterprint.rules import _mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP065", severity=Severity.ERROR, source="Linux: mount(8)")
def mounts_overlap(storage: VmStorage, context: Context) -> Iterator[Finding]:
    """Two volumes are mounted on the same folder, or one inside the other.

    Of two mounts on one folder only the later one is visible. A mount inside another needs a folder there,
    and disappears when the outer one is mounted after it. Volumes in pods are checked per workload (GKE204).

    Mount them side by side, for example on /mnt/a and /mnt/b.
    """
    yield from _mounts.overlapping(storage.volumes, context)
