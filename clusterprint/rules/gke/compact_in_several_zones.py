from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE014", severity=Severity.ERROR, source="Cluster Toolkit: gke-node-pool module")
def compact_in_several_zones(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A pool has a placement policy and several zones.

    Zones are different buildings; GKE refuses a compact or workload placement across them.

    Keep one zone, or remove the placement policy.
    """
    if not given(pool.placement.policy) or pool.placement.policy == "none" or len(set(pool.zones)) <= 1:
        return
    yield Finding(
        f"nodes of pool {pool.name} cannot be placed close together in {len(set(pool.zones))} zones",
        context.at(pool.placement, "policy"),
        also=(context.at(pool, "zones", text="the zones"),),
        help="keep one zone, or remove policy",
    )
