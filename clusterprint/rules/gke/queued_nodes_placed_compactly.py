from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE009", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def queued_nodes_placed_compactly(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Nodes that come for queued requests are to be placed compactly.

    A queued request is met with machines wherever they are found together; a placement policy of the pool
    would be a second opinion. GKE refuses the two together, except for TPUs, which are placed by their shape.

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
