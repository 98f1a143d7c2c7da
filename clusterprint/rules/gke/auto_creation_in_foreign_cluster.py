from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE415", severity=Severity.ERROR, source="Google Cloud: about node pool auto-creation", firm=True)
def auto_creation_in_foreign_cluster(
    nodes: AutoCreation, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """GKE is to make pools in a cluster that others look after.

    What account such nodes have, how large the ranges for their pods are and what they may cost is for those
    to say who look after the cluster.

    Remove `auto_create`; compute classes that are there can be used by their names in manifests.
    """
    existing = context.blueprint.cluster.existing
    if existing is not UNSET:
        yield Finding(
            "GKE makes pools for compute classes of clusters of our own only",
            context.at(nodes, "machine_type"),
            also=(context.at(context.blueprint.cluster, "existing", text="the cluster"),),
            help="remove auto_create",
        )
