from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived import existing, node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, known, rule


@rule("GKE088", severity=Severity.WARNING)
def more_nodes_than_cluster_holds(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    if existing.is_existing(blueprint):
        return
    limits = catalog.gke_limits()
    zonal = blueprint.cluster.location == "zonal"
    nodes = node_pools.all_nodes(blueprint)
    most = limits.nodes_of_zonal_cluster if zonal else limits.nodes_without_quota
    if nodes <= most:
        return
    largest = max(blueprint.node_pools, key=lambda each: node_pools.max_nodes(blueprint, each), default=None)
    system = blueprint.system_pool
    if largest and node_pools.max_nodes(blueprint, largest) >= node_pools.max_system_nodes(system):
        place = number_label(largest, context)
    else:
        place = context.at(system.autoscaling, "max")
    yield Finding(
        f"there may be {nodes:,} nodes; a {blueprint.cluster.location} cluster is meant for {most:,}",
        place,
        help=f"write location: regional for up to {limits.nodes_without_quota:,}"
        if zonal
        else f"ask Google for a larger quota; the maximum is {limits.nodes_per_cluster:,}",
    )


@rule("GKE089", severity=Severity.WARNING)
def more_nodes_than_pool_holds(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    most = catalog.gke_limits().nodes_per_pool_zone
    zones = len(node_pools.zones(context.blueprint, pool))
    nodes = node_pools.max_nodes(context.blueprint, pool) // node_pools.slices(pool)
    if nodes > most * zones:
        yield Finding(
            f"pool {pool.name} may have {nodes:,} nodes in {counted(zones, 'zone')}; "
            f"{most:,} in each are known to be allowed",
            number_label(pool, context),
            help="use more zones, or several pools",
        )


@rule("GKE231", severity=Severity.ERROR, firm=True)
def quotas_larger_than_pool(kueue: Kueue, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    own = [quota for queue in kueue.local_queues for quota in queue.quotas]
    for pool, name in known(context.blueprint.node_pools, lambda each: each.name):
        shares = [quota for quota, (of, _) in known(own, lambda each: (each.pool, each.nodes)) if of == name]
        nodes = node_pools.nodes_for_jobs(context.blueprint, pool)
        total = sum(quota.nodes for quota in shares)
        if total > nodes:
            yield Finding(
                f"quotas of queues add up to {counted(total, 'node')} of pool {name}, but it has at most "
                f"{nodes}{_beside(pool)}",
                context.at(shares[-1], "nodes"),
                also=(number_label(pool, context, text="its nodes"),),
                help=f"lower the quotas to {nodes} in all, or give the pool more nodes",
            )


def _beside(pool: NodePool) -> str:
    spares = node_pools.spares(pool)
    return f" beside {counted(spares, 'spare one')}" if spares else ""
