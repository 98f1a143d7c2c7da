from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE039", severity=Severity.ERROR, source="Google Cloud: maximize GPU network bandwidth in GKE")
def gpudirect_on_ubuntu(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Nodes with GPUDirect or RDMA run Ubuntu.

    GPUDirect needs gVNIC and drivers that GKE has for Container-Optimized OS only; so does RDMA over Falcon.

    Remove `image_type`, or write `gpu_networks: false` and do without.
    """
    fabric = node_pools.layout(pool).fabric
    if pool.image_type == "cos_containerd" or fabric == "none":
        return
    yield Finding(
        f"{fabric} of {pool.machine_type} does not run with image_type {pool.image_type}",
        context.at(pool, "image_type"),
        also=(machine_label(pool, context),),
        help="remove image_type, or write gpu_networks: false",
    )
