from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._cluster_ranges import cuts
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule("GKE061", severity=Severity.ERROR, firm=True)
def range_too_small_for_pods(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    needed = node_pools.all_pod_addresses(blueprint)
    for cut in cuts(blueprint, context):
        if cut.purpose == "pods" and cut.network and cut.network.num_addresses < needed:
            longest = 32 - (needed - 1).bit_length()
            more = f"a pod_cidr of /{longest}" if cut.written else f"a cidr of /{longest - 1}"
            yield Finding(
                f"{cut.network} has {counted(cut.network.num_addresses, 'address', 'addresses')} for pods, "
                f"but the nodes may take {needed:,}",
                cut.place,
                also=_largest(blueprint, context),
                help=f"write {more} or larger, or lower max_pods_per_node",
            )


def _largest(blueprint: KubernetesBlueprint, context: Context) -> tuple[Label, ...]:
    """Where it was decided how many nodes the largest pool has."""
    pools = sorted(blueprint.node_pools, key=lambda each: node_pools.max_nodes(blueprint, each))
    return tuple(
        number_label(pool, context, counted(node_pools.max_nodes(blueprint, pool), "node"))
        for pool in pools[-1:]
    )
