from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE004", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def count_of_flex_start(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A flex-start pool has a fixed number of nodes.

    Flex-start nodes are created when work needs them and capacity is available, and deleted after their
    maximum run time. GKE refuses a flex-start pool with a fixed number of nodes.

    Write the number as the maximum of `autoscaling`, or choose another capacity model.
    """
    if not given(pool.count) or given(pool.autoscaling) or pool.capacity.model != "flex_start":
        return
    if pool.count == node_pools.nodes_per_slice(pool):
        return  # the slice says the same
    yield Finding(
        f"pool {pool.name} cannot keep {counted(pool.count, 'node')}: flex_start nodes come and go",
        context.at(pool, "count"),
        also=(context.at(pool.capacity, "model", text="the capacity model"),),
        help=f"write autoscaling: {{max: {pool.count or 1}}} instead of count",
    )
