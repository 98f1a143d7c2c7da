from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import zones_label
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule


@rule("GKE028", severity=Severity.WARNING)
def tpu_zone_unconfirmed_for_flex_start(
    pool: NodePool, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    found = node_pools.tpu(pool)
    if found is None or pool.capacity.model != "flex_start" or not found[0].flex_start_zones:
        return
    kind = found[0]
    for zone in node_pools.zones(context.blueprint, pool):
        if zone not in kind.flex_start_zones and is_known(zone):
            yield Finding(
                f"TPU {kind.name} is not announced for flex_start in {zone}",
                zones_label(pool, context),
                also=(context.at(pool.capacity, "model", text="the capacity model"),),
                help=f"it is announced in {listed(kind.flex_start_zones, 'and')}",
            )
