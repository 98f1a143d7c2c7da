from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE068", severity=Severity.ERROR, firm=True)
def dataplane_v2_off(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if cluster.dataplane_v2:
        return
    if given(cluster.multi_networking) and cluster.multi_networking:
        why, other = "multi_networking needs it", context.at(cluster, "multi_networking", text="needs it")
    else:
        pool = _pool_with_networks(cluster, context)
        if pool is None:
            return
        sort = "GPU" if node_pools.has_gpus(pool) else "TPU"
        why, other = f"the {sort} networks of pool {pool.name} need it", machine_label(pool, context)
        if pool.second_network:
            why = f"the second network of pool {pool.name} needs it"
            other = context.at(pool, "second_network", text="needs it")
    yield Finding(
        f"dataplane_v2 is off, but {why}",
        context.at(cluster, "dataplane_v2"),
        also=(other,),
        help="remove dataplane_v2",
    )


def _pool_with_networks(cluster: Cluster, context: Context[KubernetesBlueprint]) -> NodePool | None:
    """A pool with networks that GKE makes, or with ours, if another rule does not say that it has none."""
    refused = given(cluster.multi_networking) and not cluster.multi_networking
    pools = known(
        context.blueprint.node_pools,
        lambda pool: node_pools.network_profile(pool) or (not refused and node_pools.layout(pool).nics > 1),
    )
    return next((pool for pool, needs in pools if needs), None)
