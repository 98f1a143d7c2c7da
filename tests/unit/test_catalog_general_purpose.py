"""Machines without GPUs, and the GPUs that can be attached to some of them."""

from itertools import pairwise

import pytest
from catalog_tables import known

from clusterprint import catalog
from clusterprint.catalog import cpu_families


@pytest.mark.parametrize(
    ("name", "series", "vcpus", "memory_gb"),
    [
        ("n1-standard-8", "n1", 8, 30),
        ("n1-highcpu-96", "n1", 96, 86.4),
        ("n2-highmem-128", "n2", 128, 864),
        ("e2-medium", "e2", 2, 4),
        ("c4-standard-2", "c4", 2, 7),
        ("g1-small", "n1", 1, 1.7),
        ("custom-8-30720", "n1", 8, 30),
        ("n1-custom-8-30720", "n1", 8, 30),
        ("n1-custom-1-3840", "n1", 1, 3.75),
        ("n2-custom-4-131072-ext", "n2", 4, 128),
        ("e2-custom-4-8192", "e2", 4, 8),
    ],
)
def test_general_purpose_machine(name: str, series: str, vcpus: int, memory_gb: float) -> None:
    machine = known(name)
    assert (machine.series, machine.vcpus, machine.memory_gb) == (series, vcpus, memory_gb)
    assert (machine.gpus, machine.gpu, machine.gpu_memory_gb) == (0, None, 0)
    assert machine.network.nics == 1


@pytest.mark.parametrize(
    "name",
    [
        "n1-standard-3",
        "n1-standard-08",
        "n1-standard-+8",
        "n1-standard-1_6",
        "n1-standard-٨",
        "n1-standard-8-ext",
        "n1-custom-3-8192",  # odd number of vCPUs
        "n1-custom-8-30721",  # not a multiple of 256 MB
        "n1-custom-8-1024",  # too little memory
        "n1-custom-8-65536",  # too much memory without -ext
        "n1-custom-98-98304",
        "n1-custom-8-",
        "n1-custom-8-" + "9" * 5000,
        "c2-custom-8-30720",
        "q7-standard-8",
    ],
)
def test_no_such_general_purpose_machine(name: str) -> None:
    assert catalog.machine(name) is None


def test_shared_core_machines_are_marked() -> None:
    shared = {name for name in catalog.machine_names() if known(name).shared_core}
    assert shared == {"e2-micro", "e2-small", "e2-medium", "f1-micro", "g1-small"}


def test_general_purpose_machines_boot_from_disks_that_boot() -> None:
    for name in cpu_families.cpu_names():
        disks = [catalog.disk_type(disk) for disk in known(name).boot_disk_types]
        assert disks, name
        assert all(disk and disk.boot for disk in disks), name


def test_memory_grows_with_the_vcpus() -> None:
    for key, family in cpu_families.cpu_table().families.items():
        for shape, sizes in family.sizes.items():
            assert list(sizes) == sorted(sizes), (key, shape)
            assert list(sizes.values()) == sorted(sizes.values()), (key, shape)


def test_threads_per_core() -> None:
    assert known("a3-ultragpu-8g").threads_per_core_selectable
    for name in ("t2a-standard-8", "a4x-highgpu-4g", "n1-standard-1", "e2-medium"):
        assert not known(name).threads_per_core_selectable, name


def test_arm_machines() -> None:
    series = {known(name).series for name in catalog.machine_names() if known(name).architecture == "arm64"}
    assert series == {"a4x", "a4x-max", "c4a", "t2a"}


# GPUs to attach


def test_attachable_gpus() -> None:
    types = {gpu.accelerator_type for gpu in catalog.attachable_gpus()}
    assert types == {"nvidia-tesla-t4", "nvidia-tesla-p4", "nvidia-tesla-v100", "nvidia-tesla-p100"}
    assert catalog.attachable_gpu("nvidia-l4") is None
    assert catalog.attachable_gpu("nvidia-tesla-t5") is None


def test_more_gpus_allow_at_least_as_large_a_machine() -> None:
    for gpu in catalog.attachable_gpus():
        counts = list(gpu.attach)
        assert counts == sorted(counts)
        assert all(count & (count - 1) == 0 for count in counts), "a power of two"
        limits = list(gpu.attach.values())
        for fewer, more in pairwise(limits):
            assert fewer.vcpus[1] <= more.vcpus[1]
            assert fewer.memory_gb[1] <= more.memory_gb[1]
        for limit in limits:
            # N1 has at most 6.5 GB for each vCPU
            assert limit.memory_gb[1] == 6.5 * limit.vcpus[1]
