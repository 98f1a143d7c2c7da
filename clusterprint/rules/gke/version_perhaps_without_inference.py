from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._versions import default_version
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE351", severity=Severity.WARNING, source="Google Cloud: deploy GKE Inference Gateway")
def version_perhaps_without_inference(cluster: Cluster, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The default of the release channel may be too old for an inference gateway.

    As last seen, the channel gives new clusters a version that does not bring the definition of
    InferencePool. Defaults only ever rise, so it may have become new enough since.

    Write a version, or use a faster channel.
    """
    if given(cluster.version) or given(cluster.existing) or not given(context.blueprint.workloads.inference):
        return
    version, feature = default_version(cluster), catalog.gke_feature("inference")
    if version and not feature.is_in(version):
        yield Finding(
            f"new clusters of channel {cluster.release_channel} may have no inference gateway yet",
            context.at(cluster, "release_channel"),
            help=f"write version: {feature.first_after(version)} or later",
        )
