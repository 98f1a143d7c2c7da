from typing import Literal

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine, placement
from clusterprint.rules.google._capacity import is_sold
from clusterprint.rules.google._machine_count import most_machines
from clusterprint.rules.google._placement import placed_compactly
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, listed, rule


@rule("GCP043", severity=Severity.WARNING)
def compact_placement_with_flex_start(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    found = placed_compactly(nodes)
    if found is None or nodes.capacity.model != "flex_start":
        return
    allowed = placement().flex_start_with_compact
    if found.series in allowed or is_sold(found, "flex_start") is False:
        return
    yield Finding(
        f"{found.name} is not known to support compact placement with flex_start capacity",
        context.at(nodes.placement, "policy"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help=f"remove policy; the series known to support both are {listed(allowed, 'and')}",
    )


@rule("GCP044", severity=Severity.WARNING)
def compact_placement_with_reservation(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    found = placed_compactly(nodes)
    # An existing policy may be the one that the reservation was made with.
    own = not given(getattr(nodes.placement, "existing", UNSET))
    reserved = nodes.capacity.model == "reservation"
    if found is None or not (own and reserved) or is_sold(found, "reservation") is False:
        return
    yield Finding(
        "a reservation brings its own placement, which a compact policy of this cluster does not match",
        context.at(nodes.placement, "policy"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help="remove policy, or name the policy of the reservation as existing",
    )


_DISTANCES: dict[str, Literal["1", "2", "3"]] = {"subblock": "1", "block": "2", "cluster": "3"}


@rule("GCP045", severity=Severity.WARNING)
def more_nodes_than_distance_holds(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    distance = nodes.placement.max_topology_distance
    found = machine(nodes.machine_type)
    if found is None or found.max_group_size or found.workload_policy is None:
        return
    if not given(distance) or nodes.placement.policy != "workload":
        return
    most = placement().most_vms(found.series, _DISTANCES[distance])
    number = most_machines(nodes, context)
    if number.value <= most:
        return
    yield Finding(
        f"{number.value} nodes do not fit into one {distance}, which is known to hold {most}",
        number.place,
        also=(context.at(nodes.placement, "max_topology_distance", text="the maximum distance"),),
        help=f"allow a larger distance, or write {number.key}: {most}",
    )
