from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE012", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def reservation_without_zone(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """Nodes come from a reservation, but its zone is not given.

    A reservation is in one zone. Nodes in another one do not match it: you pay for the reservation, and the
    pool stays empty.

    Write the zone of the reservation as `zone` of the cluster or in `zones` of the pool.
    """
    if pool.capacity.model != "reservation" or pool.zones or context.blueprint.zone is not UNSET:
        return
    zone = node_pools.default_zone(context.blueprint)
    yield Finding(
        f"pool {pool.name} uses a reservation, but its zone is not given",
        context.at(pool.capacity, "model"),
        help=f"add zones: [{zone}] to the pool, or the zone of the reservation",
    )
