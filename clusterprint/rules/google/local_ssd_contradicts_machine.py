from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, counted, given, rule


@rule("GCP022", severity=Severity.ERROR, source="Google Cloud: about Local SSD disks")
def local_ssd_contradicts_machine(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type has a fixed number of local SSDs, but another number is requested.

    On most GPU machines the local SSDs are part of the machine: their number cannot be changed.

    Remove `local_ssd`. Some types have a variant without local SSD, whose name ends with `-nolssd`.
    """
    found = machine(group.machine_type)
    if (
        found is None
        or group.local_ssd is UNSET
        or not given(group.local_ssd.count)
        or found.local_ssd.mode != "bundled"
    ):
        return
    if group.local_ssd.count == found.local_ssd.count:
        return
    own = counted(found.local_ssd.count, "local SSD")
    bare = f"{found.name}-nolssd"
    variant = f", or write machine_type: {bare}" if not group.local_ssd.count and machine(bare) else ""
    yield Finding(
        f"{found.name} comes with {own}, not with {group.local_ssd.count}",
        context.at(group.local_ssd, "count"),
        also=(context.at(group, "machine_type", text=f"brings {own}"),),
        help=f"remove local_ssd{variant}",
    )
