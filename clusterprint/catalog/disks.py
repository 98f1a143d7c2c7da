"""Disk types of Google Cloud."""

import math
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class Range(NamedTuple):
    """From the least to the most, both included."""

    least: int
    most: int

    def nearest(self, amount: int) -> int:
        """The amount itself, or the end of the range that it is beyond."""
        return max(self.least, min(self.most, amount))


_NONE = Range(0, 0)


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much performance can be bought for a disk: in all, for each GiB, and for each IOPS it has.

    Rates are fractions, as they are published: "10/1024" is 10 for each TiB. 0 is no limit of this sort.
    """

    min: int = 0
    max: int
    min_per_gib: Fraction = Fraction(0)
    max_per_gib: Fraction = Fraction(0)
    min_per_iops: Fraction = Fraction(0)
    max_per_iops: Fraction = Fraction(0)

    def within(self, gib: Range, iops: Range = _NONE) -> Range:
        """Limits of disks of these sizes and IOPS."""
        return Range(self._at(gib.least, iops.least).least, self._at(gib.most, iops.most).most)

    def _at(self, gib: int, iops: int) -> Range:
        rates = ((self.max_per_gib, gib), (self.max_per_iops, iops))
        most = min((math.floor(rate * amount) for rate, amount in rates if rate and amount), default=self.max)
        most = min(most, self.max)
        least = max(self.min, math.ceil(self.min_per_gib * gib), math.ceil(self.min_per_iops * iops))
        return Range(min(least, most), most)  # the smallest disks reach no minimum: of theirs there is one


class DiskType(Fact, frozen=True, kw_only=True):
    """A type of disk: its smallest and largest size, and whether a machine can boot from it.

    Which of them a machine type boots from is said by `Machine.boot_disk_types`. `iops` and `mibps` are what
    can be bought for one disk; None where it cannot be chosen. `mibps_per_iops` is the throughput that
    follows from its IOPS, where those alone are bought, up to `max_mibps`. More machines than `few_readers`
    can read a disk only if it has `mibps_per_reader` for each.
    """

    min_gb: int
    max_gb: int
    boot: bool
    iops: Limits | None = None
    mibps: Limits | None = None
    mibps_per_iops: Fraction = Fraction(0)
    max_mibps: int = 0
    mibps_per_reader: int = 0
    few_readers: int = 0

    @property
    def sizes(self) -> Range:
        """The sizes that there are, in GiB."""
        return Range(self.min_gb, self.max_gb)

    def iops_of(self, gib: int = 0) -> Range:
        """The IOPS that can be bought for a size, or for any; 0 to 0 where they cannot be chosen."""
        return self.iops.within(self._sizes(gib)) if self.iops else _NONE

    def mibps_of(self, gib: int = 0, iops: int = 0) -> Range:
        """The throughput that can be bought, in the same way, beside so many IOPS, or any."""
        beside = Range(iops, iops) if iops else self.iops_of(gib)
        return self.mibps.within(self._sizes(gib), beside) if self.mibps else _NONE

    def mibps_with(self, iops: int) -> int:
        """The throughput that follows from IOPS; 0 where it is bought, or follows from nothing known."""
        return min(self.max_mibps, math.floor(self.mibps_per_iops * iops))

    def mibps_for(self, readers: int) -> int:
        """The throughput without which a disk cannot have so many readers; 0 where they are few."""
        return self.mibps_per_reader * readers if readers > self.few_readers else 0

    def _sizes(self, gib: int) -> Range:
        return Range(gib, gib) if gib else self.sizes


class DiskPoolType(Fact, frozen=True, kw_only=True):
    """A type of storage pool: how large it may be, in steps; 0 for what is not bought for it.

    `iops_per_gb` is what may be bought for each GiB, by how performance is counted.
    """

    min_gb: int
    max_gb: int
    step_gb: int
    max_iops: int = 0
    max_throughput_mibps: int = 0
    iops_per_gb: dict[str, int] = {}  # noqa: RUF012 - msgspec copies it

    def has(self, size_gb: int) -> bool:
        """Whether there is this very size."""
        return self.nearest(size_gb) == size_gb

    def nearest(self, size_gb: int) -> int:
        """The smallest size that holds as much, or the largest available one."""
        steps = -(-max(0, size_gb - self.min_gb) // self.step_gb)
        return min(self.min_gb + steps * self.step_gb, self.max_gb)


class _Attachable(Fact, frozen=True, kw_only=True):
    """The types of Hyperdisk that the machines of each series attach, if known."""

    series: dict[str, tuple[str, ...]]


@cache
def _attachable() -> _Attachable:
    return read_table("google/disk_series", _Attachable)


def attachable_hyperdisks(machine_type: str) -> tuple[str, ...] | None:
    """The types of Hyperdisk that machines of a type attach; None where nothing is known of the series."""
    return _attachable().series.get(machine_type.partition("-")[0])


@cache
def _pools() -> dict[str, DiskPoolType]:
    return read_table("google/disk_pools", dict[str, DiskPoolType])


def disk_pool_type(name: str) -> DiskPoolType | None:
    """Find a type of storage pool by that of the disks in it."""
    return _pools().get(name)


@cache
def _table() -> dict[str, DiskType]:
    return read_table("google/disks", dict[str, DiskType])


def disk_type(name: str) -> DiskType | None:
    """Find a disk type by its name, such as `pd-ssd`."""
    return _table().get(name)


def disk_types_with(field: Literal["iops", "mibps"]) -> tuple[str, ...]:
    """The names of the disk types for which IOPS or throughput can be chosen."""
    return tuple(name for name, found in _table().items() if getattr(found, field))


def disk_types() -> tuple[str, ...]:
    """The names of all disk types."""
    return tuple(_table())
