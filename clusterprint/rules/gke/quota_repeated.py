from collections.abc import Iterator

from clusterprint.blueprint.gke.queues import LocalQueue
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE232", severity=Severity.ERROR, source="Kueue: cluster queues (flavors)", firm=True)
def quota_repeated(queue: LocalQueue, context: Context) -> Iterator[Finding]:
    """A queue has two quotas of one node pool.

    A pool is a flavor of the queue, and Kueue refuses a queue that has one twice.

    Add them up.
    """
    yield from repeated(
        queue.quotas,
        context,
        lambda quota: f"queue {queue.name} has two quotas of pool {quota.pool}",
        key=lambda quota: quota.pool,
        field="pool",
        help="add them up",
    )
