from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google import _local_ssd
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP025", severity=Severity.WARNING, source="Google Cloud: about Local SSD disks")
def local_ssd_count_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """More local SSDs are asked for than the machine type is known to take.

    How many local SSDs a machine can have depends on its series and size. The number for this series is
    unconfirmed, so Google may reject the machines.

    Ask for fewer, or ignore this warning if you know better.
    """
    yield from _local_ssd.beyond_maximum(group, context, certain=False)
