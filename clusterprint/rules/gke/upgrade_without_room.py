from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE084", severity=Severity.ERROR, source="Google Cloud: node upgrade strategies in GKE", firm=True)
def upgrade_without_room(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Both `max_surge` and `max_unavailable` are 0.

    Then no node could ever be replaced; GKE refuses the pool.

    Write `max_surge` or `max_unavailable` of at least 1.
    """
    upgrades = pool.upgrades
    if upgrades.strategy != "surge" or not given(upgrades.max_unavailable) or upgrades.max_unavailable > 0:
        return
    if pool.capacity.model != "flex_start" and node_pools.max_surge(pool) == 0:
        written = given(upgrades.max_surge)
        yield Finding(
            f"nodes of pool {pool.name} cannot be upgraded: max_surge and max_unavailable are both 0",
            context.at(upgrades, "max_unavailable"),
            also=(context.at(upgrades, "max_surge", text="none may be added"),) if written else (),
            help="write max_unavailable: 1, or max_surge: 1",
        )
