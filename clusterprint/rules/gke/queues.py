from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import node_pools
from clusterprint.derived.queues import cluster_queue, has_topology
from clusterprint.rules.gke._pods import all_pods
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE238", severity=Severity.ERROR, firm=True)
def cluster_queue_taken(kueue: Kueue, context: Context) -> Iterator[Finding]:
    taken = {kueue.cluster_queue: ""}
    own = [queue for queue in kueue.local_queues if queue.quotas]
    for queue, (name, namespace) in known(own, lambda each: (each.name, each.namespace)):
        held = cluster_queue(kueue, queue)
        other = taken.setdefault(held, f"{namespace}/{name}")
        if other != f"{namespace}/{name}":
            yield Finding(
                f"the cluster queue of {namespace}/{name} would be called {held}, like that of "
                f"{other or 'all queues without quotas'}",
                context.at(queue, "name"),
                help="give it another name",
            )


@rule("GKE119", severity=Severity.WARNING)
def queued_pods_ask_for_nothing(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not given(workloads.kueue):
        return
    for pods in all_pods(context):
        if pods.queue and not pods.requested:
            yield Finding(
                f"{pods.where} is in queue {pods.queue}, which cannot count it: no container requests "
                "anything",
                pods.place(context),
                help="add resources.requests to its containers, such as cpu",
            )


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
