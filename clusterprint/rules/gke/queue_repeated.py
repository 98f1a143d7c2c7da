from collections.abc import Iterator

from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE111", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def queue_repeated(kueue: Kueue, context: Context) -> Iterator[Finding]:
    """Two local queues of one namespace have the same name.

    Jobs name their queue, and there is only one of a name in a namespace.

    Give one of them another name.
    """
    yield from repeated(
        kueue.local_queues,
        context,
        lambda queue: f"namespace {queue.namespace} has two queues called {queue.name}",
        key=lambda queue: (queue.name, queue.namespace),
        help="give one of them another name",
    )
