from collections.abc import Iterator
from typing import Literal

from clusterprint.blueprint.vm import VmNodes
from clusterprint.catalog import machine, placement
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule

_DISTANCES: dict[str, Literal["1", "2", "3"]] = {"subblock": "1", "block": "2", "cluster": "3"}


@rule("VM015", severity=Severity.WARNING, source="Cluster Toolkit: placement of Slurm nodes (resume.py)")
def more_nodes_than_distance_holds(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """There are more nodes than are known to stand within the largest distance asked for.

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
    if nodes.count <= most:
        return
    yield Finding(
        f"{nodes.count} nodes are more than the {most} that one {distance} is known to hold",
        context.at(nodes, "count"),
        also=(context.at(nodes.placement, "max_topology_distance", text="the largest distance"),),
        help=f"allow a larger distance, or write a count of at most {most}",
    )
