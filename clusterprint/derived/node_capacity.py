"""Capacity of a node for pods, without what GKE reserves."""

import math
from typing import NamedTuple

from clusterprint.catalog import Machine

# vCPUs that GKE keeps: this share of the first, of the second, of the next two, and of all others.
_CPU_SHARES = ((1, 0.06), (1, 0.01), (2, 0.005), (float("inf"), 0.0025))

# Memory that GKE keeps: this share of the first so many GiB, and so on; and for evictions, in GiB.
_MEMORY_SHARES = ((4, 0.25), (4, 0.20), (8, 0.10), (112, 0.06), (float("inf"), 0.02))
_EVICTION = 0.1

# What the system's own pods on each node ask for: logs, metrics, network, drivers.
_SYSTEM_CPUS = 0.5
_SYSTEM_MEMORY = 1.0
_SIDECAR_CPUS = 0.25

# Of disks: what GKE keeps of so many local SSDs in GiB (of a boot disk a share), and when it evicts pods.
_SSD_KEPT = {1: 50, 2: 75, 3: 100}
_STORAGE_EVICTION = 0.1
# What Container-Optimized OS has of a boot disk before pods have any.
_SYSTEM_PARTITIONS_GIB = 6


class Room(NamedTuple):
    """The most that one pod may request, in whole vCPUs and GB (GiB)."""

    cpus: int
    memory_gb: int


class Allocatable(NamedTuple):
    """The vCPUs and the memory, in GB (GiB), of a node for all pods, the system's own too."""

    cpus: float
    memory_gb: float


def allocatable(machine: Machine) -> Allocatable:
    """The room of a node for pods; a pod that asks for more certainly does not fit."""
    return Allocatable(
        free_cpus(machine.vcpus) + _SYSTEM_CPUS, free_memory_gb(machine.memory_gb) + _SYSTEM_MEMORY
    )


def room(machine: Machine) -> Room:
    """The capacity of a node for one pod of a workload, as whole numbers that it can request."""
    return Room(math.floor(free_cpus(machine.vcpus)), math.floor(free_memory_gb(machine.memory_gb)))


def free_cpus(vcpus: int) -> float:
    """How many vCPUs of a node the pods of workloads may ask for."""
    return vcpus - _kept(vcpus, _CPU_SHARES) - _SYSTEM_CPUS


def whole_cpus(vcpus: int) -> int:
    """The vCPUs that a pod requests to have a node for itself, in whole numbers; 0 if the size is unknown.

    The container that mounts buckets, which GKE adds to a pod, requests its own.
    """
    return max(0, math.floor(free_cpus(vcpus) - _SIDECAR_CPUS)) if vcpus else 0


def free_memory_gb(memory_gb: float) -> float:
    """How much memory of a node, in GB (GiB), the pods of workloads may ask for."""
    return memory_gb - _kept(memory_gb, _MEMORY_SHARES) - _EVICTION - _SYSTEM_MEMORY


def free_storage_gib(boot_disk_gb: int, ssds: int, ssd_gib: int) -> int:
    """How much of a node's disks the pods of workloads may ask for: of its local SSDs if there are any.

    GKE keeps a part of them, and evicts pods before they are full.
    """
    if ssds:
        total = float(ssds * ssd_gib)
        kept = float(_SSD_KEPT[min(ssds, max(_SSD_KEPT))])
    else:
        total = float(boot_disk_gb - _SYSTEM_PARTITIONS_GIB)
        kept = min(boot_disk_gb / 2, 6 + 0.35 * boot_disk_gb, 100)
    return max(0, math.floor(total - kept - total * _STORAGE_EVICTION))


def _kept(amount: float, shares: tuple[tuple[float, float], ...]) -> float:
    kept = 0.0
    for size, share in shares:
        part = min(amount, size)
        kept += part * share
        amount -= part
    return kept
