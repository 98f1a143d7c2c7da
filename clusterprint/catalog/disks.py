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
        """The smallest size that holds as much, or the largest that there is."""
        steps = -(-max(0, size_gb - self.min_gb) // self.step_gb)
        return min(self.min_gb + steps * self.step_gb, self.max_gb)


class _Attachable(Fact, frozen=True, kw_only=True):
    """The types of Hyperdisk that the machines of each series attach, as far as it is known."""

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


def disk_types_with(field: str) -> tuple[str, ...]:
    """The names of the disk types that have a limit for something, which is what can be chosen for them."""
    return tuple(name for name, found in _table().items() if getattr(found, field))


def disk_types() -> tuple[str, ...]:
    """The names of all disk types."""
    return tuple(_table())
