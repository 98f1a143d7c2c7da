from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE320",
    severity=Severity.ERROR,
    source="Google Cloud: allocate network resources by using GKE managed DRANET",
    firm=True,
)
def managed_networks_refused(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Managed networks are asked for on machines that do not support them.

    DRANET supports the interfaces of A3 Ultra, A4, A4X, A4X Max, TPU v6e and TPU 7x machines. On others, pods
    would get none.

    Remove `accelerator_network_profile`: machines with GPU networks then get those of clusterprint.
    """
    if given(pool.accelerator_network_profile) and not node_pools.device_class(pool):
        yield Finding(
            f"GKE has no managed networks for {pool.machine_type}",
            context.at(pool, "accelerator_network_profile"),
            also=(machine_label(pool, context),),
            help="remove accelerator_network_profile",
        )
