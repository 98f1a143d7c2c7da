from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE086", severity=Severity.WARNING, source="Google Cloud: consume a reservation")
def more_nodes_than_reserved(pool: NodePool, context: Context) -> Iterator[Finding]:
    """An upgrade needs additional nodes that the reservation may have no room for.

    Nodes of the pool come only from the reservation. If it is fully used, an additional node can never be
    created, and the upgrade waits forever.

    Remove `max_surge`, so that each node is deleted before its replacement is created, or keep some of the
    reservation free.
    """
    upgrades = pool.upgrades
    if pool.capacity.model != "reservation":
        return
    if upgrades.strategy == "blue_green":
        place, what = context.at(upgrades, "strategy"), "a second set of nodes"
    elif given(upgrades.max_surge) and upgrades.max_surge > 0:
        place, what = context.at(upgrades, "max_surge"), counted(upgrades.max_surge, "more node")
    else:
        return
    yield Finding(
        f"upgrades of pool {pool.name} need {what} from the reservation",
        place,
        also=(context.at(pool.capacity, "model", text="nodes come from a reservation"),),
        help="remove strategy and max_surge: each node is then deleted before its replacement is created",
    )
