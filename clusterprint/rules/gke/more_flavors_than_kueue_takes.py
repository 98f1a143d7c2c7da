from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule

# In a resource group of Kueue's v1beta1; later versions take more.
_MOST_FLAVORS = 16


@rule("GKE113", severity=Severity.WARNING, source="Kueue: cluster queues")
def more_flavors_than_kueue_takes(kueue: Kueue, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """There are more node pools than older versions of Kueue accept as flavors.

    Each node pool is a flavor of the cluster queue. Up to 16 are accepted by every version of Kueue.

    Merge pools of the same machine type, or make sure that your version of Kueue accepts as many.
    """
    pools = len(context.blueprint.node_pools)
    if pools > _MOST_FLAVORS:
        yield Finding(
            f"{counted(pools, 'node pool')} become as many flavors, but some versions of Kueue allow only "
            f"{_MOST_FLAVORS}",
            context.at_key(kueue),
            help="merge pools of the same machine type",
        )
