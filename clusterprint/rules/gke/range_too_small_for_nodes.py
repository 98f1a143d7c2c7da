from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import node_pools, ranges
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._cluster_ranges import Cut, cuts
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule(
    "GKE060",
    severity=Severity.ERROR,
    source="Google Cloud VPC: unusable addresses in IPv4 subnets",
    firm=True,
)
def range_too_small_for_nodes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """The range for nodes has too few addresses for all that the pools may grow to.

    Every node has an address, and so has each that an upgrade creates in advance. Google keeps four addresses
    of the subnet. A pool stops growing when addresses run out.

    Use a larger range (a smaller number after the slash), or smaller pools.
    """
    needed = node_pools.all_nodes(blueprint)
    for cut in cuts(blueprint, context):
        if cut.purpose == "nodes" and cut.network and ranges.hosts(cut.network) < needed:
            yield Finding(
                f"{cut.network} has addresses for {counted(ranges.hosts(cut.network), 'node')}, "
                f"but there may be {needed}",
                cut.place,
                also=_largest(blueprint, context),
                help=_help_for(cut, needed),
            )


def _largest(blueprint: KubernetesBlueprint, context: Context) -> tuple[Label, ...]:
    """Where it was decided how many nodes the largest pool has."""
    pools = sorted(blueprint.node_pools, key=lambda each: node_pools.max_nodes(blueprint, each))
    return tuple(
        number_label(pool, context, counted(node_pools.max_nodes(blueprint, pool), "node"))
        for pool in pools[-1:]
    )


def _help_for(cut: Cut, needed: int) -> str:
    longest = 32 - (needed + ranges.RESERVED_ADDRESSES - 1).bit_length()
    if cut.written:
        return f"write a node_cidr of /{longest} or larger"
    return f"write a cidr of /{longest - 3} or larger: an eighth of it is for nodes"
