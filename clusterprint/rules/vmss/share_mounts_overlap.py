from clusterprint.blueprint.azure_volumes import AzureStorage
from clusterprint.rules import _mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ061", severity=Severity.ERROR)
def share_mounts_overlap(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    yield from _mounts.overlapping(storage.volumes, context)
