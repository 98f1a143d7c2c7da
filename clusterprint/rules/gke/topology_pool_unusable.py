from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived import node_pools
from clusterprint.derived.queues import has_topology
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE233", severity=Severity.ERROR, firm=True)
def topology_pool_unusable(kueue: Kueue, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    named = {name: pool for pool, name in known(context.blueprint.node_pools, lambda each: each.name)}
    for index, name in enumerate(kueue.topology_pools):
        if name in named and (why := _why(named[name])):
            yield Finding(
                f"jobs cannot be placed by the topology of pool {name}: {why}",
                context.at(kueue, "topology_pools", index),
                help="leave it out",
            )


def _why(pool: NodePool) -> str:
    if not has_topology(pool):
        return f"machines of type {pool.machine_type} have no topology labels"
    if not node_pools.is_fixed(pool):
        return "the number of its nodes changes, and Kueue counts only those that exist"
    return ""
