from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("GKE007", severity=Severity.WARNING, source="Cluster Toolkit: gke-node-pool module")
def flex_start_spread_evenly(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Flex-start nodes are set to be spread evenly over zones.

    Flex-start takes capacity where there is some. Waiting for the same number of machines in each zone means
    waiting longer, perhaps forever.

    Remove `location_policy`, or write `location_policy: any`.
    """
    if pool.capacity.model != "flex_start" or pool.autoscaling is UNSET:
        return
    if given(pool.autoscaling.location_policy) and pool.autoscaling.location_policy == "balanced":
        yield Finding(
            f"pool {pool.name} waits for the same number of flex_start nodes in each zone",
            context.at(pool.autoscaling, "location_policy"),
            also=(context.at(pool.capacity, "model", text="the capacity model"),),
            help="remove location_policy: nodes are then created wherever there is capacity",
        )
