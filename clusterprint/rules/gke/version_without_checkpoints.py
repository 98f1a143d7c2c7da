from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import checkpoints
from clusterprint.rules.gke._versions import version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE395", severity=Severity.ERROR, source="Google Cloud: multi-tier checkpointing in GKE", firm=True)
def version_without_checkpoints(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """The version of GKE has no multi-tier checkpointing yet.

    The add-on is refused, and with it the cluster. New clusters have it in every release channel.

    Write the version that the help names, or leave `version` out.
    """
    version, feature = version_of(cluster), catalog.gke_feature("checkpoints")
    switch = cluster.addons.multi_tier_checkpointing
    asked = checkpoints.asked(context.blueprint)
    if version is None or feature.is_in(version) or not (asked or (given(switch) and switch)):
        return
    yield Finding(
        f"GKE {cluster.version} has no multi-tier checkpointing yet",
        context.at(cluster, "version"),
        also=(
            context.at(asked, text="the checkpoints")
            if asked
            else context.at(cluster.addons, "multi_tier_checkpointing", text="the add-on"),
        ),
        help=f"write version: {feature.first_after(version)} or later",
    )
