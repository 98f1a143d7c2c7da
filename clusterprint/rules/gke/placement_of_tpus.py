from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE029", severity=Severity.ERROR, source="Cluster Toolkit, XPK and TPU Provisioner: shapes of TPU slices"
)
def placement_of_tpus(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A placement policy is given for TPU machines.

    Machines of a slice are placed by its topology, and a single machine needs no placement. A policy would
    contradict that; GKE refuses it.

    Remove `placement`.
    """
    if node_pools.tpu(pool) is None or not given(pool.placement.policy):
        return
    yield Finding(
        f"the nodes of pool {pool.name} are placed by their topology, not by policy: {pool.placement.policy}",
        context.at(pool.placement, "policy"),
        also=(machine_label(pool, context),),
        help="remove placement",
    )
