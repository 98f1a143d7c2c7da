"""Places of Google Cloud: regions, zones, bucket locations, and where accelerators were seen."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class ZoneList(Fact, frozen=True, kw_only=True):
    """Where something was seen: for each region, the last parts of the names of its zones."""

    zones: dict[str, tuple[str, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """Full names, such as `us-central1-f`."""
        return tuple(f"{region}-{letter}" for region, letters in self.zones.items() for letter in letters)


class BucketLocations(Fact, frozen=True, kw_only=True):
    """Where buckets can be besides in a region, all in lower case.

    `multi_regions` gives what the names of the regions in it begin with, `dual_regions` the two regions.
    """

    multi_regions: dict[str, str]
    dual_regions: dict[str, tuple[str, str]]

    def is_near(self, location: str, region: str) -> bool:
        """Whether a location is the region, or has it in it."""
        if location in self.multi_regions:
            return region.startswith(self.multi_regions[location])
        return region in self.dual_regions.get(location, (location,))


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    uncertain: str
    regions: ZoneList
    lists: dict[str, ZoneList]


@cache
def _table() -> _Table:
    return read_table("google/zones", _Table)


def zone_list(key: str) -> ZoneList | None:
    """The list of a machine family, an accelerator type or a TPU type; None where none is known."""
    return _table().lists.get(key)


def why_zones_are_uncertain() -> str:
    """Why every list of zones is uncertain."""
    return _table().uncertain


def regions() -> tuple[str, ...]:
    """All regions there are, sorted. New ones open about once a year."""
    return tuple(_table().regions.zones)


@cache
def zone_names(region: str = "") -> tuple[str, ...]:
    """All zones there are, or those of one region, sorted; none for a region that is not known."""
    suffixes = _table().regions.zones
    return tuple(
        f"{each}-{suffix}" for each in ([region] if region else suffixes) for suffix in suffixes.get(each, ())
    )


@cache
def bucket_locations() -> BucketLocations:
    """Where buckets can be besides in a region."""
    return read_table("google/bucket_locations", BucketLocations)


def region_of(zone: str) -> str:
    """The region that a zone's name says: `us-central1` for `us-central1-f`."""
    return zone.rpartition("-")[0]
