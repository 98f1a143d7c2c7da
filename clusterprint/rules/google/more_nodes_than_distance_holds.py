from typing import Literal

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine, placement
from clusterprint.rules.google._machine_count import most_machines
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_DISTANCES: dict[str, Literal["1", "2", "3"]] = {"subblock": "1", "block": "2", "cluster": "3"}


@rule("GCP045", severity=Severity.WARNING, source="Cluster Toolkit: placement of Slurm nodes (resume.py)")
def more_nodes_than_distance_holds(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """There are more nodes than are known to fit within the maximum distance.

    The closer nodes must be to each other, the fewer there are room for. The limits are those that Cluster
    Toolkit works with.

    Allow a larger distance, or have fewer nodes.
    """
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
