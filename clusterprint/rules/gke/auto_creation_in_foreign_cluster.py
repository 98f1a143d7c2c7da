from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE415", severity=Severity.ERROR, source="Google Cloud: about node pool auto-creation", firm=True)
def auto_creation_in_foreign_cluster(
    nodes: AutoCreation, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """Auto-creation of pools is set in an existing cluster.

    The owner of the cluster decides which account such nodes have, how large the ranges for their pods are
    and what they may cost.

    Remove `auto_create`; existing compute classes can be used by name in manifests.
    """
    existing = context.blueprint.cluster.existing
    if existing is not UNSET:
        yield Finding(
            "auto_create works only in a cluster that clusterprint creates",
            context.at(nodes, "machine_type"),
            also=(context.at(context.blueprint.cluster, "existing", text="the cluster"),),
            help="remove auto_create",
        )
