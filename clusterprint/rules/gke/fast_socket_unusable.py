from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE036", severity=Severity.ERROR, source="Terraform provider google: google_container_node_pool")
def fast_socket_unusable(pool: NodePool, context: Context) -> Iterator[Finding]:
    """NCCL Fast Socket is on where it is of no use, or does not run.

    Fast Socket speeds up traffic between GPUs of nodes that have no GPU networks. It needs gVNIC, and with it
    Container-Optimized OS; machines with GPUDirect have something better.

    Remove `fast_socket`.
    """
    if not pool.fast_socket:
        return
    if not node_pools.has_gpus(pool):
        why, other = f"{pool.machine_type} has no GPUs", machine_label(pool, context)
    elif pool.image_type != "cos_containerd":
        why = "it needs gVNIC, which runs with image_type cos_containerd"
        other = context.at(pool, "image_type", text="the operating system")
    elif node_pools.layout(pool).gpudirect != "none":
        why = f"GPUs of {pool.machine_type} use {node_pools.layout(pool).gpudirect}"
        other = machine_label(pool, context)
    else:
        return
    yield Finding(
        f"fast_socket does not apply to pool {pool.name}: {why}",
        context.at(pool, "fast_socket"),
        also=(other,),
        help="remove fast_socket",
    )
