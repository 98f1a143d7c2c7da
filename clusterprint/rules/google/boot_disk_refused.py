from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import offered
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("GCP020", severity=Severity.ERROR)
def boot_disk_refused(group: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from _refused(group, context, certain=True)


@rule("GCP021", severity=Severity.WARNING)
def boot_disk_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from _refused(group, context, certain=False)


def _refused(group: MachineGroup, context: Context, *, certain: bool) -> Iterator[Finding]:
    """Find a disk type that is not among those of the machine type, where the list is (not) certain."""
    found = offered(group)
    wanted = group.boot_disk.type
    if found is None or wanted is UNSET or wanted in (found.boot_disk_types or [wanted]):
        return
    if found.is_certain("boot_disk_types") is not certain:
        return
    message = (
        f"{group.machine_type} does not support {wanted} boot disks"
        if certain
        else f"{group.machine_type} is not known to support {wanted} boot disks"
    )
    yield Finding(
        message,
        context.at(group.boot_disk, "type"),
        also=(context.at(group, "machine_type", text="the machine type"),),
        help=f"remove type, or write {listed(found.boot_disk_types)}",
    )
