from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE013", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def reservation_in_several_zones(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Nodes come from a reservation, and the pool has several zones.

    A reservation is in one zone. In the other zones no node would ever be created, and the pool would stay
    half empty.

    Name the zone of the reservation only, and make a pool for each reservation. Ignore this if there is a
    reservation of this name in each of the zones.
    """
    if pool.capacity.model == "reservation" and len(set(pool.zones)) > 1:
        yield Finding(
            f"pool {pool.name} uses one reservation in {len(set(pool.zones))} zones",
            context.at(pool, "zones"),
            also=(context.at(pool.capacity, "model", text="a reservation is in one zone"),),
            help="keep the zone of the reservation",
        )
