from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules.gke._versions import version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE350", severity=Severity.ERROR, source="Google Cloud: deploy GKE Inference Gateway", firm=True)
def version_without_inference(cluster: Cluster, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The version of GKE has no inference gateway yet.

    Newer versions bring the definition of InferencePool along with the Gateway API. Older ones refuse the
    pools, and so the models.

    Write the version that the help names.
    """
    version, feature = version_of(cluster), catalog.gke_feature("inference")
    inference = context.blueprint.workloads.inference
    if version and given(inference) and not feature.is_in(version):
        yield Finding(
            f"GKE {cluster.version} has no inference gateway yet",
            context.at(cluster, "version"),
            also=(context.at(context.blueprint.workloads, "inference", text="the gateway"),),
            help=f"write version: {feature.first_after(version)} or later",
        )
