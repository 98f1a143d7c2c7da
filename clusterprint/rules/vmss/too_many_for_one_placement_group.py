from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import has_infiniband, is_uniform
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

MOST = 100


@rule(
    "AZ011", severity=Severity.ERROR, source="Azure: working with large virtual machine scale sets", firm=True
)
def too_many_for_one_placement_group(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """More machines with InfiniBand than a placement group holds.

    Machines reach each other by InfiniBand inside one placement group, which holds 100 machines.

    Use at most 100 nodes, or make several clusters.
    """
    if nodes.count > MOST and has_infiniband(nodes) and is_uniform(nodes):
        yield Finding(
            f"{nodes.count} nodes with InfiniBand are more than the {MOST} of a placement group",
            context.at(nodes, "count"),
            help=f"use at most {MOST} nodes, or make several clusters",
        )
