from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import refused_boot_disks
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP020", severity=Severity.ERROR)
def boot_disk_refused(group: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from refused_boot_disks(group, context, certain=True)


@rule("GCP021", severity=Severity.WARNING)
def boot_disk_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from refused_boot_disks(group, context, certain=False)
