from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE006", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def flex_start_nodes_repaired(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Auto-repair is on for flex-start nodes.

    Repair deletes a node and creates another. The capacity of a flex-start node is granted only once, so
    there would be no replacement; GKE rejects the pool.

    Remove `auto_repair`.
    """
    if not given(pool.auto_repair) or not pool.auto_repair or pool.capacity.model != "flex_start":
        return
    yield Finding(
        f"nodes of pool {pool.name} cannot be repaired: flex_start capacity is granted only once",
        context.at(pool, "auto_repair"),
        also=(context.at(pool.capacity, "model", text="the capacity model"),),
        help="remove auto_repair",
    )
