from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google import _boot_disk
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP021", severity=Severity.WARNING, source="Google Cloud: about disk types and machine series")
def boot_disk_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """It is not known whether the machine type supports this type of boot disk.

    Each machine series supports only some disk types. The list for this series is unconfirmed, so Google
    may reject the machines.

    Remove the disk type, write one of those in the help, or ignore this warning if you know better.
    """
    yield from _boot_disk.refused(group, context, certain=False)
