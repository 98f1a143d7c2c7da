from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.rule import Finding, rule


@rule("GKE039", severity=Severity.ERROR, source="Google Cloud: maximize GPU network bandwidth in GKE")
def gpudirect_on_ubuntu(pool: NodePool, context: Context) -> Iterator[Finding]:
    """GPUs are to talk directly to those of other nodes, but the nodes run Ubuntu.

    GPUDirect needs gVNIC and drivers that GKE has for Container-Optimized OS only.

    Remove `image_type`, or write `gpu_networks: false` and do without.
    """
    gpudirect = node_pools.layout(pool).gpudirect
    if pool.image_type == "cos_containerd" or gpudirect == "none":
        return
    yield Finding(
        f"{gpudirect} of {pool.machine_type} does not run with image_type {pool.image_type}",
        context.at(pool, "image_type"),
        also=(machine_label(pool, context),),
        help="remove image_type, or write gpu_networks: false",
    )
