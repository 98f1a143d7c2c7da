from itertools import combinations

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import cluster_ranges, gateways, node_pools, ranges
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._cluster_ranges import Cut, cuts, needs_gpu_networks
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, listed, rule

_BITS = (cluster_ranges.GPU_PARTS - 1).bit_length()


@rule("GKE058", severity=Severity.ERROR, firm=True)
def range_too_small_for_gpu_nodes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
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


@rule("GKE060", severity=Severity.ERROR, firm=True)
def range_too_small_for_nodes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
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


_LONGEST_OF = {
    "services": 27,
    "GPU networks": ranges.LONGEST_PREFIX - (cluster_ranges.GPU_PARTS - 1).bit_length(),
}

# An eighth of the whole is for services, a quarter for GPU networks.
_LONGEST = _LONGEST_OF["services"] - 3
_LONGEST_WITH_GPUS = _LONGEST_OF["GPU networks"] - 2


@rule("GKE062", severity=Severity.ERROR, firm=True)
def range_cannot_be_cut(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    small = [cut for cut in cuts(blueprint, context) if _too_small(cut)]
    whole = [cut for cut in small if not cut.written]
    purposes = listed([cut.purpose for cut in whole], "and")
    for cut in whole[:1]:
        yield Finding(
            f"{blueprint.network.cidr} is too small for ranges for {purposes}",
            cut.place,
            help=f"use a /{_LONGEST_WITH_GPUS if needs_gpu_networks(blueprint) else _LONGEST} or larger",
        )
    for cut in small:
        if cut.written:
            longest = _LONGEST_OF[cut.purpose]
            yield Finding(
                f"{cut.network} is too small for {cut.purpose}", cut.place, help=f"use a /{longest} or larger"
            )


def _too_small(cut: Cut) -> bool:
    """Whether nothing can be made from it; how many nodes and pods have room in it, other rules say."""
    if cut.network is None:
        return True
    return cut.network.prefixlen > _LONGEST_OF.get(cut.purpose, cut.network.prefixlen)


@rule("GKE063", severity=Severity.ERROR, firm=True)
def ranges_of_cluster_overlap(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    made = [cut for cut in cuts(blueprint, context) if cut.network]
    for one, other in combinations(made, 2):
        if not (one.written or other.written) or not one.network or not other.network:
            continue
        if one.network.overlaps(other.network):
            first, second = (one, other) if other.written else (other, one)
            yield Finding(
                f"{second.network} for {second.purpose} overlaps {first.network} for {first.purpose}",
                second.place,
                also=(first.place._replace(text=f"{first.purpose} are here"),),
                help="choose a range that does not overlap the others",
            )


@rule("GKE293", severity=Severity.ERROR, firm=True)
def gpu_range_not_free(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    existing = blueprint.cluster.existing
    if given(existing) and needs_gpu_networks(blueprint) and not given(blueprint.network.gpu_cidr):
        yield Finding(
            "the networks between GPUs need a range that the existing cluster does not use",
            context.at_key(blueprint, "node_pools"),
            also=(context.at_key(blueprint.cluster, "existing", text="the existing cluster"),),
            help="write network: {gpu_cidr: RANGE} with a free range, or gpu_networks: false for the pools",
        )


@rule("GKE359", severity=Severity.ERROR, firm=True)
def range_too_small_for_proxies(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    if not gateways.makes_proxies(blueprint):
        return
    try:
        fits = cluster_ranges.proxies(blueprint.network).prefixlen <= cluster_ranges.PROXY_PREFIX
    except ValueError:
        return  # another rule says that it cannot be cut
    if not fits:
        field = "gpu_cidr" if given(blueprint.network.gpu_cidr) else "cidr"
        yield Finding(
            f"{field} {getattr(blueprint.network, field)} leaves no /26 for the proxies of load balancers",
            context.at(blueprint.network, field),
            help="write a larger range: a /21 at least for gpu_cidr, a /19 for cidr",
        )
