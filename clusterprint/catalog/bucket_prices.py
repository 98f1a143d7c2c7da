"""Monthly prices of buckets of Google Cloud, and of their caches."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import read_table
from clusterprint.catalog.storage import PricedByGib


class _Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    classes: dict[str, PricedByGib]
    cache: PricedByGib


@cache
def _table() -> _Prices:
    return read_table("google/bucket_prices", _Prices)


def bucket_prices(storage_class: str) -> PricedByGib | None:
    """Price of a GiB in a bucket of a storage class, as the provider calls it (`STANDARD`)."""
    return _table().classes.get(storage_class)


def bucket_cache_prices() -> PricedByGib:
    """Price of a GiB in an Anywhere Cache."""
    return _table().cache
