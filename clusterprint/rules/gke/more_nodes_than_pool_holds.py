from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import number_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule("GKE089", severity=Severity.WARNING, source="Google Cloud: GKE quotas and limits")
def more_nodes_than_pool_holds(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A node pool may grow beyond what GKE allows in a zone.

    A pool has at most 1,000 nodes in each of its zones.

    Use more zones, or several pools.
    """
    most = catalog.gke_limits().nodes_per_pool_zone
    zones = len(node_pools.zones(context.blueprint, pool))
    nodes = node_pools.max_nodes(context.blueprint, pool) // node_pools.slices(pool)
    if nodes > most * zones:
        yield Finding(
            f"pool {pool.name} may have {nodes:,} nodes in {counted(zones, 'zone')}; "
            f"{most:,} in each are known to be allowed",
            number_label(pool, context),
            help="use more zones, or several pools",
        )
