from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_ENOUGH = ("no_upgrades", "no_minor_or_node_upgrades")


@rule("GKE120", severity=Severity.ERROR, source="Google Cloud: node auto-upgrades in GKE")
def provisioner_on_release_channel(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner works in a cluster whose nodes Google may upgrade at any time.

    The provisioner creates node pools without automatic upgrades, which a release channel does not allow. An
    exclusion of node upgrades prevents them while it lasts.

    Exclude upgrades of nodes with `cluster.maintenance.exclusions`.
    """
    cluster = context.blueprint.cluster
    if cluster.release_channel == "none" or given(cluster.existing):
        return  # which channel an existing cluster is in, plans check
    if any(each.scope in _ENOUGH for each in cluster.maintenance.exclusions):
        return
    yield Finding(
        f"the TPU provisioner creates pools without upgrades, but the cluster is in release channel "
        f"{cluster.release_channel}",
        context.at_key(provisioner),
        also=(context.at(cluster, "release_channel", text="the release channel"),),
        help="exclude upgrades of nodes (cluster.maintenance.exclusions, with until_end_of_support: true)",
    )
