from clusterprint.blueprint.gke.pools import SystemPool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE173", severity=Severity.WARNING, source="Google Cloud: GKE cluster autoscaler, location policy")
def system_zones_without_nodes(pool: SystemPool, context: Context) -> Iterator[Finding]:
    """The system pool has more zones than it may have nodes.

    It begins with a node in each zone, and its nodes are balanced over them. With fewer nodes than zones some
    zones have none, and GKE removes nodes right after it has made them.

    Raise `max` in `autoscaling`, or name fewer zones.
    """
    if pool.autoscaling.per_zone or len(pool.zones) <= pool.autoscaling.max:
        return
    yield Finding(
        f"the system pool has {len(pool.zones)} zones, but at most {pool.autoscaling.max} nodes",
        context.at(pool.autoscaling, "max"),
        also=(context.at(pool, "zones", text="its zones"),),
        help=f"write max: {len(pool.zones)}, or name fewer zones",
    )
