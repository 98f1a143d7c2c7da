from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import blocked_pools, help_text, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE167", severity=Severity.ERROR, source="Google Cloud: GKE release notes of August 25, 2026")
def version_blocked_for_machines(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A pool is made of machines that GKE refuses in this version.

    The kernel of GKE 1.34 was not compatible with GPUDirect-TCPX, so GKE neither makes pools of
    a3-highgpu-8g machines in the first patches of 1.34 and 1.35, nor upgrades any to them.

    Write the version that the help names. Where the default of the release channel is none of these,
    `version` may also be left out.
    """
    version = version_of(cluster)
    if version is None:
        return
    for pool, back in blocked_pools(context, version):
        yield Finding(
            f"GKE refuses pools of {pool.machine_type} in version {cluster.version}",
            context.at(cluster, "version"),
            also=(machine_label(pool, context),),
            help=help_text(back, cluster, context),
        )
