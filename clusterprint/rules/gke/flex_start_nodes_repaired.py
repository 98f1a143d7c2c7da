from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE006", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def flex_start_nodes_repaired(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Flex-start nodes are to be repaired.

    Repairing a node means deleting it and making another. The place of a flex-start node is granted once, so
    there would be no other; GKE refuses the pool.

    Remove `auto_repair`.
    """
    if not given(pool.auto_repair) or not pool.auto_repair or pool.capacity.model != "flex_start":
        return
    yield Finding(
        f"nodes of pool {pool.name} cannot be repaired: a flex_start node is granted once",
        context.at(pool, "auto_repair"),
        also=(context.at(pool.capacity, "model", text="the capacity model"),),
        help="remove auto_repair",
    )
