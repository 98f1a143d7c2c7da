"""Disk types of Google Cloud."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class DiskType(Fact, frozen=True, kw_only=True):
    """A type of disk: its smallest and largest size, and whether a machine can boot from it.

    Which of them a machine type boots from is said by `Machine.boot_disk_types`.
    """

    min_gb: int
    max_gb: int
    boot: bool


@cache
def _table() -> dict[str, DiskType]:
    return read_table("google/disks", dict[str, DiskType])


def disk_type(name: str) -> DiskType | None:
    """Find a disk type by its name, such as `pd-ssd`."""
    return _table().get(name)


def disk_types() -> tuple[str, ...]:
    """The names of all disk types."""
    return tuple(_table())
