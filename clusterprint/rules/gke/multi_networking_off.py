from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE067", severity=Severity.ERROR, firm=True)
def multi_networking_off(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not given(cluster.multi_networking) or cluster.multi_networking:
        return
    for pool, layout in known(context.blueprint.node_pools, node_pools.layout):
        if layout.nics > 1:
            key = "second_network" if pool.second_network else "machine_type"
            help_text = "remove second_network of" if pool.second_network else "write gpu_networks: false for"
            yield Finding(
                f"pool {pool.name} has {layout.nics} networks, but multi_networking is off",
                context.at(cluster, "multi_networking"),
                also=(context.at(pool, key, text=f"{layout.nics} interfaces"),),
                help=f"remove multi_networking, or {help_text} the pool",
            )
