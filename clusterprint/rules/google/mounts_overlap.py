from clusterprint.blueprint.storage import VmStorage
from clusterprint.rules import _mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP065", severity=Severity.ERROR)
def mounts_overlap(storage: VmStorage, context: Context) -> Iterator[Finding]:
    yield from _mounts.overlapping(storage.volumes, context)
