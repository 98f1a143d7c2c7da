from clusterprint import catalog
from clusterprint.blueprint.gke.pools import SystemPool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE055",
    severity=Severity.ERROR,
    source="Cluster Toolkit: gke-cluster module, system_node_pool",
    firm=True,
)
def accelerators_in_system_pool(pool: SystemPool, context: Context) -> Iterator[Finding]:
    """The system pool has machines with GPUs or TPUs.

    The system pool runs DNS, metrics and the like, which need no accelerators, and workloads that do are kept
    away from it: expensive machines would stay idle.

    Use a general-purpose machine type, and put accelerators into `node_pools`.
    """
    if catalog.is_accelerator_prefix(pool.machine_type):
        yield Finding(
            f"the system pool has {pool.machine_type} machines, whose accelerators nothing in it uses",
            context.at(pool, "machine_type"),
            help="write machine_type: e2-standard-4, and put accelerators into node_pools",
        )
