from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import auto_creation
from clusterprint.rules.gke._versions import help_text, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE416", severity=Severity.ERROR, source="Google Cloud: configure node pool auto-creation", firm=True)
def auto_creation_in_old_version(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The version of GKE cannot auto-create pools for a single compute class.

    Older versions create pools only where they may do so for all pods of the cluster.

    Write the version that the help names, or remove `auto_create`.
    """
    version = version_of(cluster)
    feature = catalog.gke_feature("auto-creation")
    if version is None or feature.is_in(version):
        return
    for compute_class, nodes in auto_creation.creations(context.blueprint.compute_classes):
        yield Finding(
            f"GKE {cluster.version} cannot auto-create pools for compute class {compute_class.name}",
            context.at(cluster, "version"),
            also=(context.at(nodes, "machine_type", text="the auto-created nodes"),),
            help=help_text(feature.first_after(version), cluster, context),
        )
        return
