"""Zones of buckets with caches."""

from msgspec import UNSET

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import bucket_locations, region_of
from clusterprint.did_you_mean import is_bucket_location


def location(volume: GoogleVolume, region: str) -> str:
    """Where a created bucket is; `region` is that of the cluster."""
    return region if volume.location is UNSET else volume.location


def in_reach(volume: GoogleVolume, zone: str, region: str) -> bool:
    """Whether a cache may be in a zone, if known: where an existing bucket is, nobody says."""
    place = location(volume, region)
    if not volume.create or not is_bucket_location(place):
        return True
    return bucket_locations().is_near(place.lower(), region_of(zone))
