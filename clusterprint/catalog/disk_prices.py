"""Monthly prices of disks of Google Cloud: size and provisioned performance."""

from functools import cache
from typing import NamedTuple

import msgspec

from clusterprint.catalog.disks import Range, disk_type
from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.storage import MonthlyPrice


class Provisioned(NamedTuple):
    """Size and performance of a disk in GiB, IOPS and MiB/s; 0 if not sold for its type, or not known."""

    gib: int
    iops: int
    mibps: int


class _Rates(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """US dollars for a month: for each GiB, and for each IOPS and MiB/s that is not included.

    `source` is theirs, where it is not the first one of the type.
    """

    gib: float
    iops: float = 0
    mibps: float = 0
    source: str = ""


class _Default(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The default IOPS or throughput of a disk, which applies from a size on."""

    base: int = 0
    per_gib: float
    from_gib: int = 0

    def of(self, gib: int, sold: Range) -> int:
        """For a size, within what is sold for it; 0 where it is not known."""
        return sold.nearest(int(self.base + self.per_gib * gib)) if gib >= self.from_gib else 0


class DiskPrices(Fact, frozen=True, kw_only=True):
    """List prices of a type of disk, by region; the first region stands in for those that are missing.

    `included` is what comes with any size, `default` what a disk gets where nothing is asked for.
    """

    regions: dict[str, _Rates]
    included_iops: int = 0
    included_mibps: int = 0
    default_iops: _Default | None = None
    default_mibps: _Default | None = None


@cache
def _table() -> dict[str, DiskPrices]:
    return read_table("google/disk_prices", dict[str, DiskPrices])


def disk_prices(type_: str) -> DiskPrices | None:
    """The list prices of a type of disk."""
    return _table().get(type_)


def provisioned(type_: str, gib: int, iops: int = 0, mibps: int = 0) -> Provisioned | None:
    """The amount that a disk has for a requested one, 0 for none; None if it is not known."""
    prices, limits = disk_prices(type_), disk_type(type_)
    if prices is None or limits is None or not gib:
        return None
    if not iops and prices.default_iops:
        iops = prices.default_iops.of(gib, limits.iops_of(gib))
    if not mibps and prices.default_mibps:
        mibps = prices.default_mibps.of(gib, limits.mibps_of(gib, iops))
    if not mibps:
        mibps = limits.mibps_with(iops)
    is_known = (iops or not limits.iops) and (mibps or not limits.mibps)
    return Provisioned(gib, iops, mibps) if is_known else None


def disk_price(type_: str, disk: Provisioned, region: str) -> MonthlyPrice | None:
    """The price of a disk; None if no list has its type."""
    prices = disk_prices(type_)
    if prices is None:
        return None
    at = region if region in prices.regions else next(iter(prices.regions))
    rates = prices.regions[at]
    usd = disk.gib * rates.gib
    usd += max(0, disk.iops - prices.included_iops) * rates.iops
    usd += max(0, disk.mibps - prices.included_mibps) * rates.mibps
    return MonthlyPrice(round(usd, 2), at, rates.source or prices.sources[0])
