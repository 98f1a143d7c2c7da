from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE322",
    severity=Severity.ERROR,
    source="Google Cloud: configure automated networking for accelerator VMs",
)
def managed_networks_in_several_zones(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A pool with managed networks has several zones.

    A network of accelerators is in one zone, and GKE refuses such a pool in several.

    Make one pool for each zone.
    """
    zones = len(set(pool.zones))
    if zones > 1 and node_pools.network_profile(pool):
        yield Finding(
            f"GKE creates the networks of pool {pool.name} in one zone, not in {zones}",
            context.at(pool, "zones"),
            also=(machine_label(pool, context),),
            help="make one pool for each zone",
        )
