from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE037", severity=Severity.ERROR, source="Terraform provider google: google_container_node_pool")
def secondary_boot_disk_without_streaming(
    pool: NodePool, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A pool has secondary boot disks, but no image streaming.

    What is on such a disk is found by the image-streaming service of the node. That runs on
    Container-Optimized OS only, and only if it is on for the cluster; GKE refuses the pool otherwise.

    Remove `image_streaming: false` and `image_type`, or the disks.
    """
    cluster = context.blueprint.cluster
    if not pool.secondary_boot_disks:
        return
    if not cluster.image_streaming:
        why, other = (
            "image streaming is off",
            context.at(cluster, "image_streaming", text="disabled here"),
        )
    elif pool.image_type != "cos_containerd":
        why = f"{pool.image_type} nodes do not stream images"
        other = context.at(pool, "image_type", text="the operating system")
    else:
        return
    yield Finding(
        f"pool {pool.name} cannot use its secondary boot disks: {why}",
        context.at_key(pool, "secondary_boot_disks"),
        also=(other,),
        help="enable image streaming, with image_type cos_containerd, or remove the disks",
    )
