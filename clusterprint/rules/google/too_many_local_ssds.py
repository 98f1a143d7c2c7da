from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, counted, given, rule


@rule("GCP024", severity=Severity.ERROR, source="Google Cloud: GPU machine types")
def too_many_local_ssds(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """More local SSDs are requested than the machine type supports.

    How many local SSDs a machine can have grows with its size.

    Request fewer, or choose a larger machine type.
    """
    yield from _beyond_maximum(group, context, certain=True)


@rule("GCP025", severity=Severity.WARNING, source="Google Cloud: about Local SSD disks")
def local_ssd_count_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """More local SSDs are asked for than the machine type is known to take.

    How many local SSDs a machine can have depends on its series and size. The number for this series is
    unconfirmed, so Google may reject the machines.

    Ask for fewer, or ignore this warning if you know better.
    """
    yield from _beyond_maximum(group, context, certain=False)


def _beyond_maximum(group: MachineGroup, context: Context, *, certain: bool) -> Iterator[Finding]:
    """Find a count above what the machine type takes, where that number is (not) certain."""
    found = machine(group.machine_type)
    if (
        found is None
        or group.local_ssd is UNSET
        or not given(group.local_ssd.count)
        or found.local_ssd.mode != "optional"
    ):
        return
    most = found.local_ssd.max_count
    if group.local_ssd.count <= most or found.is_certain("local_ssd") is not certain:
        return
    word = "takes" if certain else "is known to take"
    yield Finding(
        f"{found.name} {word} at most {counted(most, 'local SSD')}, not {group.local_ssd.count}",
        context.at(group.local_ssd, "count"),
        also=(context.at(group, "machine_type", text="the machine type"),),
        help=f"write a count of at most {most}",
    )
