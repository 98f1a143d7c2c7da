"""Which zones of Google Cloud have storage that is in one zone, as far as a list of it could be read."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import read_table
from clusterprint.catalog.zones import ZoneList, region_of


class LustreZones(ZoneList, frozen=True, kw_only=True):
    """Where Managed Lustre is.

    Regions up to `until`, in the order of their names, are those of the newest list. Of later ones only an
    older list is known: what it has is there, what it lacks may have come since.
    """

    until: str

    def lacks(self, zone: str) -> bool:
        """Whether the newest list names its region, or would name it, and does not name the zone."""
        return region_of(zone) <= self.until and zone not in self.names


class BucketZones(ZoneList, frozen=True, kw_only=True):
    """The AI zones that have buckets in one zone, and caches of buckets; of other zones nothing is said."""

    def lacks(self, zone: str) -> bool:
        """Whether it is an AI zone that is not named."""
        return zone.rpartition("-")[2].startswith("ai") and zone not in self.names


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lustre: LustreZones
    bucket_ai_zones: BucketZones


@cache
def _table() -> _Table:
    return read_table("google/storage_zones", _Table)


def lustre_zones() -> LustreZones:
    """Where Managed Lustre is."""
    return _table().lustre


def bucket_ai_zones() -> BucketZones:
    """Which AI zones have Rapid Bucket and caches of buckets."""
    return _table().bucket_ai_zones
