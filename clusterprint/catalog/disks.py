"""Disk types of Google Cloud."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class DiskType(Fact, frozen=True, kw_only=True):
    """A type of disk: its smallest and largest size, and whether a machine can boot from it.

    Which of them a machine type boots from is said by `Machine.boot_disk_types`. `max_iops` and
    `max_throughput_mibps` are what can be bought for one disk; 0 where it cannot be chosen.
    """

    min_gb: int
    max_gb: int
    boot: bool
    max_iops: int = 0
    min_throughput_mibps: int = 0
    max_throughput_mibps: int = 0


@cache
def _table() -> dict[str, DiskType]:
    return read_table("google/disks", dict[str, DiskType])


def disk_type(name: str) -> DiskType | None:
    """Find a disk type by its name, such as `pd-ssd`."""
    return _table().get(name)


def disk_types_with(field: str) -> tuple[str, ...]:
    """The names of the disk types that have a limit for something, which is what can be chosen for them."""
    return tuple(name for name, found in _table().items() if getattr(found, field))


def disk_types() -> tuple[str, ...]:
    """The names of all disk types."""
    return tuple(_table())
