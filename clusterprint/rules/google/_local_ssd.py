"""Local SSDs where the machine type leaves the choice."""

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, counted, given


def beyond_maximum(group: MachineGroup, context: Context, *, certain: bool) -> Iterator[Finding]:
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
