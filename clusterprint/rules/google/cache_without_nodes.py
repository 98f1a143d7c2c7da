from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import auto_creation, existing, node_groups, node_pools, volumes
from clusterprint.rules.google._caches import in_reach
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("GCP144", severity=Severity.WARNING, source="Cloud Storage: Anywhere Cache")
def cache_without_nodes(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """All caches of a bucket are in zones without nodes of the cluster.

    A cache serves the machines of its own zone only. Nodes of other zones read the bucket itself, and what
    the cache was made for does not happen.

    Put a cache into the zone of the nodes, or remove it.
    """
    if volume.kind != "bucket" or volume.anywhere_cache is UNSET:
        return
    blueprint = context.blueprint
    zones, places = volumes.cache_zones(volume, blueprint.zone), _places(blueprint)
    if not zones or not places or any(zone in places for zone in zones):
        return
    if not all(is_known(zone) and in_reach(volume, zone, blueprint.region) for zone in zones):
        return  # said by other rules
    cache = volume.anywhere_cache
    written = cache if cache.zones else None
    way = f"{'write' if written else 'add'} zones: [{places[0]}], or "
    yield Finding(
        f"volume {volume.name} is cached in {listed(zones, 'and')}; nodes are in {listed(places, 'and')}",
        context.at(written, "zones") if written else context.at_key(volume, "anywhere_cache"),
        help=f"{way if in_reach(volume, places[0], blueprint.region) else ''}remove anywhere_cache",
    )


def _places(blueprint: GoogleBlueprint) -> tuple[str, ...]:
    """The zones of all nodes; empty where some of them may be anywhere."""
    found: list[tuple[str, ...]] = []
    if isinstance(blueprint, VmBlueprint):
        found = [node_groups.zones(blueprint, each) for each in node_groups.groups(blueprint)]
    elif isinstance(blueprint, KubernetesBlueprint) and not _others(blueprint):
        found = [node_pools.zones(blueprint, each) for each in blueprint.node_pools]
    return tuple(dict.fromkeys(zone for zones in found for zone in zones))


def _others(blueprint: KubernetesBlueprint) -> bool:
    """Whether a cluster has, or makes, nodes besides its pools."""
    return existing.is_existing(blueprint) or bool(auto_creation.creations(blueprint.compute_classes))
