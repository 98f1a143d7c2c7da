from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE087", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def blue_green_with_placement(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Blue-green upgrades are set for nodes with a placement policy.

    A second set of nodes does not fit into the same placement; GKE refuses the two together.

    Remove `strategy`, or the placement policy.
    """
    if pool.upgrades.strategy != "blue_green" or not given(pool.placement.policy):
        return
    if pool.placement.policy != "none":
        yield Finding(
            f"nodes of pool {pool.name} are placed by a policy, so they cannot be upgraded blue-green",
            context.at(pool.upgrades, "strategy"),
            also=(context.at(pool.placement, "policy", text="the policy"),),
            help="remove strategy, or write policy: none",
        )
