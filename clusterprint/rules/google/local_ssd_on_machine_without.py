from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("GCP023", severity=Severity.ERROR, source="Google Cloud: about Local SSD disks")
def local_ssd_on_machine_without(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """Local SSDs are requested for a machine type that does not support them.

    Some series have no local SSD at all, others only in types with a name of their own; the `-nolssd`
    variants of GPU machines are those without.

    Remove `local_ssd`, or use a machine type that has local SSDs.
    """
    found = machine(group.machine_type)
    if (
        found is None
        or group.local_ssd is UNSET
        or not given(group.local_ssd.count)
        or found.local_ssd.mode != "none"
    ):
        return
    if group.local_ssd.count == 0:
        return
    whole = found.name.removesuffix("-nolssd")
    variant = f", or write machine_type: {whole}" if whole != found.name else ""
    yield Finding(
        f"{found.name} does not support local SSDs",
        context.at(group.local_ssd, "count"),
        also=(context.at(group, "machine_type", text="the machine type"),),
        help=f"remove local_ssd{variant}",
    )
