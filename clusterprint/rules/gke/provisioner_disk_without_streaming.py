from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import ProvisionedNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE124", severity=Severity.ERROR, source="Google Cloud: secondary boot disks in GKE")
def provisioner_disk_without_streaming(
    nodes: ProvisionedNodes, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """Provisioned nodes have a secondary boot disk, but the cluster has no image streaming.

    Images on a secondary boot disk are used through image streaming.

    Switch `cluster.image_streaming` on, or leave the disk out.
    """
    cluster = context.blueprint.cluster
    if given(nodes.secondary_disk) and not cluster.image_streaming:
        yield Finding(
            "provisioned nodes have a disk with images, but image streaming is off",
            context.at(nodes, "secondary_disk"),
            also=(context.at(cluster, "image_streaming", text="image streaming"),),
            help="enable cluster.image_streaming",
        )
