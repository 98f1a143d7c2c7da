from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE410",
    severity=Severity.ERROR,
    source="Google Cloud: set up multi-network support for pods",
    firm=True,
)
def second_network_refused(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A second network is set for machines that have networks of their own, or use only one.

    GPUs with GPUDirect and machines with RDMA are connected to more than one network anyway, and jobs use
    them; TPUs get a data network by `accelerator_network_profile`. A3 High machines with fewer than 8 GPUs
    take one interface.

    Remove `second_network`.
    """
    if not pool.second_network:
        return
    machine = node_pools.machine(pool)
    if node_pools.tpu(pool):
        why = "TPUs have a data network by accelerator_network_profile: auto"
    elif machine is not None and machine.network.fabric != "none":
        why = f"{pool.machine_type} has networks of its own, for {machine.network.fabric_in_words}"
    elif machine is not None and machine.network.max_nics == 1:
        why = f"{pool.machine_type} takes one network interface"
    else:
        return
    yield Finding(
        f"pool {pool.name} gets no second network: {why}",
        context.at(pool, "second_network"),
        also=(machine_label(pool, context),),
        help="remove second_network",
    )
