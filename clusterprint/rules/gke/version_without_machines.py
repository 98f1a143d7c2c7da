from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import help_text, pools_with_minimum, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE165",
    severity=Severity.ERROR,
    source="Google Cloud: GPUs, A4X and TPUs in GKE, version requirements",
)
def version_without_machines(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A pool has machines that the version of GKE does not have yet.

    GKE refuses the pool, or makes nodes whose GPUs or TPUs do not work: drivers and device plug-ins come with
    its versions.

    Write the version that the help names; if it says so, `version` may also be left out, for the default of
    the release channel.
    """
    version = version_of(cluster)
    for pool, since in pools_with_minimum(context):
        if version and since.is_certain("since") and not since.is_in(version):
            yield Finding(
                f"GKE {cluster.version} has no {pool.machine_type} yet, which pool {pool.name} is made of",
                context.at(cluster, "version"),
                also=(machine_label(pool, context),),
                help=help_text(since.first_after(version), cluster, context),
            )
