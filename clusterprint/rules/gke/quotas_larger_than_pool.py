from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, known, rule


@rule("GKE231", severity=Severity.ERROR, source="Kueue: cluster queues (cohorts)", firm=True)
def quotas_larger_than_pool(kueue: Kueue, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """The quotas of queues add up to more nodes than a pool has.

    Kueue trusts its quotas: it would admit jobs for nodes that do not exist, and their pods would wait.

    Give the queues fewer nodes, or the pool more.
    """
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
