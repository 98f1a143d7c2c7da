from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.rule import Finding, rule


@rule(
    "GKE171",
    severity=Severity.WARNING,
    source="GoogleCloudPlatform: container-engine-accelerators, test of NCCL with IMEX on A4X",
)
def nvlink_between_nodes_unused(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """Jobs on A4X and A4X Max machines do not use NVLink between nodes.

    The machines of a pool are one NVLink domain, but pods of different nodes reach each other's memory only
    with a ComputeDomain of NVIDIA's DRA driver, which clusterprint neither installs nor asks for in pods of
    MPI jobs and of Ray. Without it they use RDMA. Inside a node NVLink works.

    Install the driver (chart nvidia-dra-driver-gpu), and add ComputeDomains and resource claims to pods of
    your own, as manifests. Then ignore this warning.
    """
    machine = node_pools.machine(pool)
    # Machines of one NVLink domain are those that a group holds only so many of.
    joined = machine is not None and machine.max_group_size is not None
    if joined and node_pools.max_nodes(context.blueprint, pool) > 1:
        yield Finding(
            f"jobs on pool {pool.name} use RDMA between its nodes, and no NVLink",
            number_label(pool, context),
            help="install NVIDIA's DRA driver, and give pods of your own a ComputeDomain",
        )
