from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import bucket_locations, region_of
from clusterprint.derived import durations, volumes
from clusterprint.diagnostic import Severity
from clusterprint.did_you_mean import is_bucket_location
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

_HOUR = 60 * 60
#: How long Anywhere Cache keeps what was not read again, in hours.
_LEAST, _MOST = 1, 7 * 24


@rule("GCP140", severity=Severity.ERROR, source="Cloud Storage: Anywhere Cache", firm=True)
def cache_out_of_reach(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """The cache of a bucket has a zone or a time that is not possible.

    A cache is in a zone within the location of its bucket, one for each zone, and serves the machines of that
    zone. Data that is not read again stays in it for an hour to seven days. The location of an existing
    bucket is not known here.

    Name zones of the bucket's location, each once, or leave `zones` out: then it is the cluster's zone.
    """
    if volume.kind != "bucket" or volume.anywhere_cache is UNSET:
        return
    cache, region = volume.anywhere_cache, context.blueprint.region
    if not volumes.cache_zones(volume, context.blueprint.zone):
        yield Finding(
            f"the cache of volume {volume.name} needs a zone, and none is given",
            context.at_key(volume, "anywhere_cache"),
            help=f"add zones: a list of zones of {region}",
        )
    location = region if volume.location is UNSET else volume.location
    for index, zone in enumerate(cache.zones):
        if zone in cache.zones[:index]:
            yield Finding(
                f"volume {volume.name} has a cache in {zone} twice",
                context.at(cache, "zones", index),
                help=f"remove one {zone}",
            )
        if not volume.create or not is_bucket_location(location):
            continue
        if not bucket_locations().is_near(location.lower(), region_of(zone)):
            yield Finding(
                f"a cache in {zone} is out of reach of a bucket in {location}",
                context.at(cache, "zones", index),
                help=f"name zones of {location}",
            )
    if not _LEAST * _HOUR <= durations.seconds(cache.ttl) <= _MOST * _HOUR:
        yield Finding(
            f"a cache keeps data for 1h to 7d, not {cache.ttl}",
            context.at(cache, "ttl"),
            help="write 1h to 7d",
        )
