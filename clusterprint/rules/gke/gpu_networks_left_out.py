from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE038", severity=Severity.WARNING, source="Google Cloud: maximize GPU network bandwidth in GKE")
def gpu_networks_left_out(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """The networks between the GPUs of several nodes, or the one for their RDMA, are left out.

    Most of what such a machine costs is its bandwidth. Without these networks, jobs on several nodes talk
    over the nodes' own interface, many times slower.

    Remove `gpu_networks: false`, unless no job spans two nodes.
    """
    found = node_pools.machine(pool)
    if pool.gpu_networks or found is None or found.network.fabric == "none":
        return
    if node_pools.max_nodes(context.blueprint, pool) > 1:
        what = "the GPUs of its nodes" if found.gpus else "its nodes"
        yield Finding(
            f"pool {pool.name} does not use {found.network.fabric} between {what}",
            context.at(pool, "gpu_networks"),
            also=(machine_label(pool, context),),
            help="remove gpu_networks",
        )
