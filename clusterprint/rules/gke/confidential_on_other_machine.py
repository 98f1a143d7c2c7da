from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.google._confidential import confidential_elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE274", severity=Severity.ERROR)
def confidential_on_other_machine(pool: NodePool, context: Context) -> Iterator[Finding]:
    yield from confidential_elsewhere(pool, context)
