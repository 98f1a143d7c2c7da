from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE005", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def flex_start_nodes_kept(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A flex-start pool has a minimum number of nodes.

    Flex-start nodes come only for work that waits for them, so a pool begins with none. GKE rejects a
    minimum above 0.

    Remove `min`.
    """
    if not given(pool.autoscaling) or pool.autoscaling.min == 0 or pool.capacity.model != "flex_start":
        return
    yield Finding(
        f"pool {pool.name} cannot have a minimum of {counted(pool.autoscaling.min, 'node')}: flex_start "
        "nodes are created only for waiting work",
        context.at(pool.autoscaling, "min"),
        also=(context.at(pool.capacity, "model", text="the capacity model"),),
        help="remove min",
    )
