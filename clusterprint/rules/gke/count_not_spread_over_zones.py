from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import zones_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, rule


@rule("GKE003", severity=Severity.ERROR, firm=True)
def count_not_spread_over_zones(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    zones = node_pools.zones(context.blueprint, pool)
    spares, nodes = node_pools.spares(pool), node_pools.fixed_nodes(pool)
    if not given(pool.count) or given(pool.autoscaling) or nodes % len(zones) == 0:
        return
    less = nodes // len(zones) * len(zones) - spares
    either = f"{less} or {less + len(zones)}" if less > 0 else str(less + len(zones))
    with_spares = f" ({spares} of them spare)" if spares else ""
    yield Finding(
        f"{counted(nodes, 'node')}{with_spares} cannot be spread evenly over {len(zones)} zones",
        context.at(pool, "count"),
        also=(zones_label(pool, context, "the zones"),),
        help=f"write count: {either}, or use autoscaling",
    )
