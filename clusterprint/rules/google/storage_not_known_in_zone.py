from clusterprint import catalog
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import region_of
from clusterprint.derived import volumes
from clusterprint.diagnostic import Label
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule

_Zonal = catalog.LustreZones | catalog.BucketZones


@rule("GCP128", severity=Severity.WARNING)
def storage_not_known_in_zone(
    volume: GoogleVolume | FileClass, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
    for what, known, zone, place in _wanted(volume, context):
        if not is_known(zone) or not known.lacks(zone):
            continue
        yield Finding(
            f"{what} is not known to be in {zone}",
            place,
            also=(context.at(volume, "kind", text="the volume"),),
            help=_help_for(known, region_of(zone)),
        )


def _help_for(known: _Zonal, region: str) -> str:
    near = [each for each in known.names if region_of(each) == region]
    if near:
        return f"in {region} it is known to be in {listed(near, 'and')}"
    if isinstance(known, catalog.BucketZones):
        return f"use an AI zone that has it ({listed(known.names, 'or')}), or a zone that is not an AI zone"
    return f"no zone of {region} is known to have it; use a filestore, or a region that has it"


def _wanted(
    volume: GoogleVolume | FileClass, context: Context[GoogleBlueprint]
) -> Iterator[tuple[str, _Zonal, str, Label]]:
    """The created storage, its zone, and the place of the zone."""
    if isinstance(volume, FileClass):
        if volume.kind == "lustre":
            for index, zone in enumerate(volume.zones):
                yield "Managed Lustre", catalog.lustre_zones(), zone, context.at(volume, "zones", index)
        return
    if volume.create and volume.kind == "lustre":
        yield from _in_its_zone("Managed Lustre", catalog.lustre_zones(), volume, context)
    if volumes.is_rapid(volume):
        yield from _in_its_zone("Rapid Bucket", catalog.bucket_ai_zones(), volume, context)
    yield from _caches(volume, context)


def _in_its_zone(
    what: str, known: _Zonal, volume: GoogleVolume, context: Context[GoogleBlueprint]
) -> Iterator[tuple[str, _Zonal, str, Label]]:
    blueprint = context.blueprint
    if volume.zone is not UNSET:
        yield what, known, volume.zone, context.at(volume, "zone")
    elif blueprint.zone is not UNSET:
        yield what, known, blueprint.zone, context.at(blueprint, "zone")


def _caches(
    volume: GoogleVolume, context: Context[GoogleBlueprint]
) -> Iterator[tuple[str, _Zonal, str, Label]]:
    cache, known = volume.anywhere_cache, catalog.bucket_ai_zones()
    if volume.kind != "bucket" or cache is UNSET:
        return
    what = f"a cache of bucket {volume.name}"
    for index, zone in enumerate(cache.zones):
        yield what, known, zone, context.at(cache, "zones", index)
    for zone in () if cache.zones else volumes.cache_zones(volume, context.blueprint.zone):
        yield what, known, zone, context.at(context.blueprint, "zone")
