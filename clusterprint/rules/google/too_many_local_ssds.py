from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google import _local_ssd
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP024", severity=Severity.ERROR, source="Google Cloud: GPU machine types")
def too_many_local_ssds(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """More local SSDs are requested than the machine type supports.

    How many local SSDs a machine can have grows with its size.

    Request fewer, or choose a larger machine type.
    """
    yield from _local_ssd.beyond_maximum(group, context, certain=True)
