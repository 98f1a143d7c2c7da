from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import cluster_ranges, node_pools, ranges
from clusterprint.rules.gke._cluster_ranges import cuts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule

_BITS = (cluster_ranges.GPU_PARTS - 1).bit_length()


@rule(
    "GKE058",
    severity=Severity.ERROR,
    source="Google Cloud VPC: unusable addresses in IPv4 subnets",
    firm=True,
)
def range_too_small_for_gpu_nodes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """The range for GPU networks has too few addresses for all nodes with GPUs.

    Each GPU network is a thirty-second part of it, and every node that is connected has an address in each.
    Google keeps four addresses of every subnet.

    Use a larger range (a smaller number after the slash), or smaller pools.
    """
    needed = max(_connected(blueprint, tcp=True), _connected(blueprint, tcp=False))
    for cut in cuts(blueprint, context):
        if cut.purpose != "GPU networks" or cut.network is None:
            continue
        length = cut.network.prefixlen + _BITS
        hosts = (
            (1 << (32 - length)) - ranges.RESERVED_ADDRESSES if length <= ranges.LONGEST_PREFIX else needed
        )
        if hosts < needed:
            longest = 32 - (needed + ranges.RESERVED_ADDRESSES - 1).bit_length() - _BITS
            more = f"a gpu_cidr of /{longest}" if cut.written else f"a cidr of /{longest - 2}"
            yield Finding(
                f"GPU networks cut from {cut.network} have addresses for {counted(hosts, 'node')}, "
                f"but there may be {needed}",
                cut.place,
                help=f"write {more} or larger",
            )


def _connected(blueprint: KubernetesBlueprint, *, tcp: bool) -> int:
    """The most nodes on the networks of GPUs that speak TCP, or of those with RDMA."""
    layouts = ((pool, node_pools.layout(pool)) for pool in blueprint.node_pools)
    return sum(
        node_pools.max_nodes(blueprint, pool) + node_pools.surge_nodes(blueprint, pool)
        for pool, layout in layouts
        if layout.nics > 1 and bool(layout.rdma_vpcs) is not tcp
    )
