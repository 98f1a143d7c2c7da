from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived.queues import cluster_queue
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


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
