from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GKE017", severity=Severity.WARNING)
def default_zone_not_known_for_machine(
    pool: NodePool, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    if pool.zones or context.blueprint.zone is not UNSET:
        return
    seen = catalog.zones_of(pool.machine_type)
    zone = node_pools.default_zone(context.blueprint)
    if seen is None or zone in seen or not is_known(zone) or pool.capacity.model == "reservation":
        return
    near = [each for each in seen if catalog.region_of(each) == context.blueprint.region]
    yield Finding(
        f"no zone is named, and {pool.machine_type} is not known to be in {zone}, which is the default",
        context.at(pool, "machine_type"),
        help=f"add zones: [{near[0]}] to the pool" if near else "choose another region",
    )
