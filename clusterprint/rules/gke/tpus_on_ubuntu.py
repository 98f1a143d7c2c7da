from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE098", severity=Severity.WARNING, source="Google Cloud: about TPUs in GKE")
def tpus_on_ubuntu(pool: NodePool, context: Context) -> Iterator[Finding]:
    """TPU nodes run Ubuntu.

    What GKE needs on a node to offer TPUs comes with Container-Optimized OS. It is not known to come with
    Ubuntu.

    Remove `image_type`.
    """
    if node_pools.tpu(pool) and pool.image_type != "cos_containerd":
        yield Finding(
            f"TPU nodes are not known to run with image_type {pool.image_type}",
            context.at(pool, "image_type"),
            also=(machine_label(pool, context),),
            help="remove image_type",
        )
