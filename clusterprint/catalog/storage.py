"""Managed file systems of Google Cloud: their tiers, how large each may be, and what it gives."""

from functools import cache
from typing import ClassVar, NamedTuple

import msgspec

from clusterprint.catalog.fact import Fact, read_table

_MB, _TB = 1_000_000, 1_000_000_000_000


class Speed(NamedTuple):
    """The most that a volume delivers, all clients together, in MB/s of 1,000,000 bytes."""

    read_mbps: int
    write_mbps: int
    read_iops: int
    write_iops: int

    @property
    def seconds_per_tb(self) -> float:
        """How long a checkpoint of one TB takes to be written, by machines whose networks carry as much."""
        return seconds_per_tb(self.write_mbps)


def seconds_per_tb(mbps: int) -> float:
    """How long one TB takes at a rate in MB/s."""
    return round(_TB / _MB / mbps, 1)


class MonthlyPrice(NamedTuple):
    """The monthly cost of a volume in US dollars, by the list of its region, or of another one."""

    usd: float
    region: str
    source: str


class Band(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sizes that a tier has: from the least, in steps, to the most; and what they give, in all or per TiB.

    Rates are in the unit of the tier, as they are published; so are IOPS, 0 where they are not.
    """

    min_gib: int
    max_gib: int
    step_gib: int
    per_tib: bool
    read_rate: int
    write_rate: int
    read_iops: int = 0
    write_iops: int = 0

    def has(self, size_gib: int) -> bool:
        """Whether there is this very size."""
        return self.min_gib <= size_gib <= self.max_gib and (size_gib - self.min_gib) % self.step_gib == 0

    def speed(self, size_gib: int, unit: int) -> Speed:
        """The performance of a volume of a size; `unit` is that of rates, in bytes."""
        rates = (self.read_rate * unit, self.write_rate * unit, self.read_iops, self.write_iops)
        read, written, *iops = (rate * size_gib // 1024 if self.per_tib else rate for rate in rates)
        return Speed(read // _MB, written // _MB, *iops)


class PricedByGib(Fact, frozen=True, kw_only=True):
    """A storage price for each GiB and month.

    `gib_month` is that in US dollars, by region; empty where no list is known. `price_source` is the source
    of it, where it is not the first one.
    """

    gib_month: dict[str, float] = {}  # noqa: RUF012 - msgspec copies it
    price_source: str = ""

    def rate(self, region: str) -> MonthlyPrice | None:
        """The price of a GiB; the first region of the list stands in for missing ones."""
        at = region if region in self.gib_month else next(iter(self.gib_month), "")
        return MonthlyPrice(self.gib_month[at], at, self.price_source or self.sources[0]) if at else None

    def price(self, size_gib: int, region: str) -> MonthlyPrice | None:
        """The price of a size; the first region of the list stands in for missing ones."""
        rate = self.rate(region)
        return rate._replace(usd=round(rate.usd * size_gib, 2)) if rate else None


class Sized(PricedByGib, frozen=True, kw_only=True):
    """A tier of a file system: which sizes it has, what each gives, and what it costs.

    A volume that `shrinks` can be made smaller; one that `stays_in_band` is given no size of another band.
    """

    #: What rates are counted in, in bytes for each second.
    UNIT: ClassVar[int] = _MB

    bands: tuple[Band, ...]
    shrinks: bool = False
    stays_in_band: bool = False

    def reach(self, size_gib: int) -> tuple[int, int]:
        """The smallest and the largest size that a volume of this size can be given later."""
        own = [each for each in self.bands if each.min_gib <= size_gib <= each.max_gib]
        within = own if own and self.stays_in_band else self.bands
        return within[0].min_gib if self.shrinks else size_gib, within[-1].max_gib

    def band(self, size_gib: int) -> Band | None:
        """The band that has this very size; None if there is no such size."""
        return next((each for each in self.bands if each.has(size_gib)), None)

    def speed(self, size_gib: int) -> Speed | None:
        """The performance of a volume of exactly this size; None if there is no such size."""
        band = self.band(size_gib)
        return band.speed(size_gib, self.UNIT) if band else None

    def nearest(self, size_gib: int) -> int:
        """The smallest size that holds as much, or the largest available one."""
        for band in self.bands:
            if size_gib <= band.max_gib:
                steps = -(-max(0, size_gib - band.min_gib) // band.step_gib)
                return band.min_gib + steps * band.step_gib
        return self.bands[-1].max_gib

    def nearest_below(self, size_gib: int) -> int | None:
        """The largest size that holds no more; None if there is none."""
        for band in reversed(self.bands):
            if size_gib >= band.min_gib:
                steps = (min(size_gib, band.max_gib) - band.min_gib) // band.step_gib
                return band.min_gib + steps * band.step_gib
        return None

    @property
    def smallest(self) -> int:
        """The smallest available size, in GiB."""
        return self.bands[0].min_gib


class FilestoreTier(Sized, frozen=True, kw_only=True):
    """A service tier of Filestore.

    `api` is what the provider calls it, `reserved_prefix` the prefix length of the addresses that an instance
    takes. With `deletion_protection` Filestore itself can refuse to delete one.
    """

    UNIT: ClassVar[int] = 1 << 20

    api: str
    deletion_protection: bool
    zonal: bool
    snapshots: bool
    nfs_v4_1: bool
    reserved_prefix: int


class FilestoreShares(Fact, frozen=True, kw_only=True):
    """How many shares the driver of GKE makes of one instance, by the size of the largest in GiB."""

    per_instance: dict[int, int]


class LustreTier(Sized, frozen=True, kw_only=True):
    """A performance tier of Managed Lustre."""


class NetappTier(Sized, frozen=True, kw_only=True):
    """A service level of NetApp Volumes; `api` and `type` are what the provider calls it.

    Of one that is `zonal`, throughput is bought, up to `max_throughput_mibps`, and each MiB/s more than what
    comes with it brings IOPS; of others it follows from the size.
    """

    UNIT: ClassVar[int] = 1 << 20

    api: str
    type: str = ""
    zonal: bool = False
    max_throughput_mibps: int = 0
    iops_per_mibps: int = 0

    def speed(self, size_gib: int, throughput_mibps: int = 0) -> Speed | None:
        """The performance of a volume of exactly this size with purchased throughput; 0 for none."""
        band = self.band(size_gib)
        if band and throughput_mibps:
            iops = band.read_iops + (throughput_mibps - band.read_rate) * self.iops_per_mibps
            rates = {"read_rate": throughput_mibps, "write_rate": throughput_mibps}
            band = msgspec.structs.replace(band, **rates, read_iops=iops, write_iops=iops)
        return band.speed(size_gib, self.UNIT) if band else None

    @property
    def min_throughput_mibps(self) -> int:
        """The throughput that a pool includes where more can be bought; 0 where it cannot."""
        return self.bands[0].read_rate if self.max_throughput_mibps else 0


class ParallelstoreTier(Sized, frozen=True, kw_only=True):
    """The one deployment of Parallelstore, scratch; its rates are hundredths of a GiB, for 1.15."""

    UNIT: ClassVar[int] = (1 << 30) // 100


class _Storage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    filestore: dict[str, FilestoreTier]
    filestore_shares: FilestoreShares
    netapp: dict[str, NetappTier]
    lustre: dict[str, LustreTier]
    parallelstore: ParallelstoreTier


@cache
def _table() -> _Storage:
    return read_table("google/storage", _Storage)


def filestore_tier(name: str) -> FilestoreTier | None:
    """Find a service tier of Filestore by the name that blueprints give it."""
    return _table().filestore.get(name)


def filestore_shares() -> dict[int, int]:
    """How many shares an instance of Filestore has for claims of GKE, by the size of the largest in GiB."""
    return _table().filestore_shares.per_instance


def netapp_tier(name: str) -> NetappTier | None:
    """Find a service level of NetApp Volumes by the name that blueprints give it."""
    return _table().netapp.get(name)


def tiers_of(kind: str) -> tuple[str, ...]:
    """The tiers that a blueprint can name for a filestore or a netapp."""
    return tuple(_table().netapp if kind == "netapp" else _table().filestore)


def lustre_tier(mbps_per_tib: int) -> LustreTier | None:
    """Find a performance tier of Managed Lustre by its throughput."""
    return _table().lustre.get(str(mbps_per_tib))


def lustre_tiers() -> tuple[int, ...]:
    """The throughputs that Managed Lustre is sold with, in MB/s for each TiB, the least first."""
    return tuple(sorted(map(int, _table().lustre)))


def parallelstore_tier() -> ParallelstoreTier:
    """How large a Parallelstore may be, and what it gives."""
    return _table().parallelstore
