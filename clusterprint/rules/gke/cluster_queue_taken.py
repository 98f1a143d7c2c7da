from collections.abc import Iterator

from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived.queues import cluster_queue
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE238", severity=Severity.ERROR, source="Kueue: cluster queues", firm=True)
def cluster_queue_taken(kueue: Kueue, context: Context) -> Iterator[Finding]:
    """Two queues have a cluster queue of the same name.

    A local queue with quotas of its own has a cluster queue called after its namespace and its name.

    Give one of them another name.
    """
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
