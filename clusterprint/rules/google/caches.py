from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import auto_creation, durations, existing, node_groups, node_pools, volumes
from clusterprint.rules.google._caches import in_reach, location
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule

_HOUR = 60 * 60
#: How long Anywhere Cache keeps what was not read again, in hours.
_LEAST, _MOST = 1, 7 * 24


@rule("GCP140", severity=Severity.ERROR, firm=True)
def cache_out_of_reach(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    if volume.kind != "bucket" or volume.anywhere_cache is UNSET:
        return
    cache, region = volume.anywhere_cache, context.blueprint.region
    if not volumes.cache_zones(volume, context.blueprint.zone):
        yield Finding(
            f"the cache of volume {volume.name} needs a zone, and none is given",
            context.at_key(volume, "anywhere_cache"),
            help=f"add zones: a list of zones of {region}",
        )
    if not cache.zones:
        yield from _by_default(volume, context)
    for index, zone in enumerate(cache.zones):
        if zone in cache.zones[:index]:
            yield Finding(
                f"volume {volume.name} has a cache in {zone} twice",
                context.at(cache, "zones", index),
                help=f"remove one {zone}",
            )
        if not in_reach(volume, zone, region):
            yield Finding(
                f"a cache in {zone} is out of reach of a bucket in {location(volume, region)}",
                context.at(cache, "zones", index),
                help=f"name zones of {location(volume, region)}",
            )
    if not _LEAST * _HOUR <= durations.seconds(cache.ttl) <= _MOST * _HOUR:
        yield Finding(
            f"a cache keeps data for 1h to 7d, not {cache.ttl}",
            context.at(cache, "ttl"),
            help="write 1h to 7d",
        )


def _by_default(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    region = context.blueprint.region
    for zone in volumes.cache_zones(volume, context.blueprint.zone):
        if not in_reach(volume, zone, region):
            yield Finding(
                f"a cache in {zone}, the cluster's zone, is out of reach of a bucket in {volume.location}",
                context.at_key(volume, "anywhere_cache"),
                also=(context.at(volume, "location", text="the bucket"),),
                help=f"remove location, which puts the bucket into {region}, or remove anywhere_cache",
            )


@rule("GCP144", severity=Severity.WARNING)
def cache_without_nodes(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
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
