"""Free space on the disks of a node."""

from clusterprint.derived.node_capacity import free_storage_gib

_GIB = 2**30


def test_a_boot_disk_is_as_large_as_nodes_of_gke_say() -> None:
    # What a node with 100 GB reports as allocatable, in bytes.
    assert free_storage_gib(100, 0, 0) == 47_060_071_478 // _GIB


def test_no_more_than_100_gib_of_a_boot_disk_is_kept() -> None:
    # 6 GiB of partitions, 100 GiB that are kept, and a tenth of the 994 GiB for evictions.
    assert free_storage_gib(1000, 0, 0) == 794


def test_local_ssds_take_the_place_of_the_boot_disk() -> None:
    assert free_storage_gib(100, 1, 375) == 287
    assert free_storage_gib(100, 32, 375) == free_storage_gib(5000, 32, 375) == 10_700


def test_nothing_is_left_of_a_disk_that_the_system_fills() -> None:
    assert free_storage_gib(10, 0, 0) == 0
