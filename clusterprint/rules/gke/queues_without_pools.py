from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived import existing
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE112", severity=Severity.ERROR, source="Kueue: cluster queues", firm=True)
def queues_without_pools(kueue: Kueue, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """There are queues, but no node pools that their jobs could run on.

    Each node pool is a flavor of the cluster queue, with what its nodes hold as quota. Kueue refuses a
    cluster queue without flavors.

    Add a node pool.
    """
    if not existing.pools(context.blueprint):
        yield Finding(
            "there are queues, but no node pools for their jobs",
            context.at_key(kueue),
            help="add a pool to node_pools",
        )
