from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE009", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def queued_nodes_placed_compactly(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Nodes for queued requests have a compact placement policy.

    A queued request gets machines wherever they are available together; a placement policy of the pool would
    contradict that. GKE refuses the two together, except for TPUs, which are placed by their topology.

    Remove the placement policy, or `queued`.
    """
    capacity = pool.capacity
    if not given(pool.placement.policy) or not capacity.queued or capacity.model != "flex_start":
        return
    if pool.placement.policy == "compact" and node_pools.tpu(pool) is None:
        yield Finding(
            f"queued nodes of pool {pool.name} cannot be placed compactly",
            context.at(pool.placement, "policy"),
            also=(context.at(capacity, "queued", text="queued requests"),),
            help="remove policy, or remove queued",
        )
