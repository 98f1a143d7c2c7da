from collections.abc import Iterator

from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE236", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def priority_repeated(kueue: Kueue, context: Context) -> Iterator[Finding]:
    """Two priorities have the same name.

    Jobs name their priority, and there is only one of a name in a cluster.

    Give one of them another name.
    """
    yield from repeated(
        kueue.priorities,
        context,
        lambda each: f"there are two priorities called {each.name}",
        help="give one of them another name",
    )
