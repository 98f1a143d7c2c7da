from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.google._confidential import confidential_elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE274",
    severity=Severity.ERROR,
    source="Google Cloud: encrypt workload data in use with Confidential GKE Nodes",
)
def confidential_on_other_machine(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Confidential nodes need a technology that their processors do not have.

    Each technology is part of certain processors; GKE refuses pools of other machines.

    Use a machine type of a series that has it, or remove `confidential`.
    """
    yield from confidential_elsewhere(pool, context)
