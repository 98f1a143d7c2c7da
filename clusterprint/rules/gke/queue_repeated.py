from collections.abc import Iterator

from clusterprint.blueprint.gke.queues import Kueue, LocalQueue
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE111", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def queue_repeated(kueue: Kueue, context: Context) -> Iterator[Finding]:
    """Two local queues of one namespace have the same name.

    Jobs name their queue, and there is only one of a name in a namespace.

    Give one of them another name.
    """
    first: dict[tuple[str, str], LocalQueue] = {}
    for queue, (name, namespace) in known(kueue.local_queues, lambda each: (each.name, each.namespace)):
        before = first.setdefault((name, namespace), queue)
        if before is not queue:
            yield Finding(
                f"namespace {namespace} has two queues called {name}",
                context.at(queue, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name",
            )
