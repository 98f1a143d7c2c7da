from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE015", severity=Severity.ERROR, source="Google Cloud: RDMA network profiles", firm=True)
def rdma_in_several_zones(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A pool with RDMA has several zones.

    The network for RDMA belongs to one zone, and the nodes of a pool share their networks. Nodes in the other
    zones could not be connected.

    Make one pool for each zone.
    """
    if node_pools.layout(pool).rdma_vpcs and len(set(pool.zones)) > 1:
        yield Finding(
            f"the RDMA network of pool {pool.name} is in one zone, not in {len(set(pool.zones))}",
            context.at(pool, "zones"),
            also=(machine_label(pool, context),),
            help="make one pool for each zone",
        )
