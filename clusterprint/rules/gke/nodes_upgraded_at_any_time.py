from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE083", severity=Severity.WARNING, source="Cluster Toolkit: examples of GKE training clusters")
def nodes_upgraded_at_any_time(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """Nodes of a long training may be upgraded at any time.

    In a release channel Google upgrades nodes, one after the other. A job that spans several machines is
    stopped by each of them, and reserved machines are not available meanwhile.

    Add a maintenance exclusion for the time of the training, or at least a window.
    """
    cluster = context.blueprint.cluster
    if given(cluster.existing):
        return  # maintenance is its owner's business
    if cluster.release_channel == "none" or context.wrote(cluster, "maintenance") or not _trains(pool):
        return
    yield Finding(
        f"nodes of pool {pool.name} are upgraded in the middle of a job that spans them",
        context.at(pool, "machine_type"),
        help="add cluster.maintenance with an exclusion, or with daily_start for when it suits best",
    )


def _trains(pool: NodePool) -> bool:
    """Whether nodes that nobody takes away work together: over networks of their own, or as a slice."""
    if pool.capacity.model not in ("on_demand", "reservation"):
        return False
    return node_pools.layout(pool).fabric != "none" or node_pools.nodes_per_slice(pool) > 1
