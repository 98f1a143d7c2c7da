from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import help_text, pools_with_minimum, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE166",
    severity=Severity.WARNING,
    source="Google Cloud: deploy GPU workloads in Autopilot, version requirements",
)
def version_perhaps_without_machines(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A pool has machines that the version of GKE may not have yet.

    The first version with these machines is known for Autopilot clusters only. GKE may refuse the pool, or
    make nodes whose GPUs do not work.

    Write the version that the help names; if it says so, `version` may also be left out, for the default of
    the release channel.
    """
    version = version_of(cluster)
    for pool, since in pools_with_minimum(context):
        if version and not since.is_certain("since") and not since.is_in(version):
            yield Finding(
                f"GKE {cluster.version} is older than the versions known to have {pool.machine_type}",
                context.at(cluster, "version"),
                also=(machine_label(pool, context),),
                help=help_text(since.first_after(version), cluster, context),
            )
