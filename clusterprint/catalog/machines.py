"""Google machine types: what a name like `a3-ultragpu-8g` stands for."""

from functools import cache
from typing import Literal

import msgspec

from clusterprint.capacity_models import CapacityModel
from clusterprint.catalog.cpu_families import CpuFamily, CpuSize, cpu_names, cpu_size, cpu_table
from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.gpus import Gpu, gpu
from clusterprint.catalog.networks import NetworkLayout, network_layout
from clusterprint.catalog.placement import WorkloadPolicy
from clusterprint.catalog.tpus import tpu_type_of
from clusterprint.catalog.zones import why_zones_are_uncertain, zone_list

# Only accelerator machines start like this, so a name that is not in the catalog is a mistake.
_ACCELERATOR_PREFIXES = ("a2-", "a3-", "a4-", "a4x-", "g2-", "g4-", "ct", "tpu")
_NO_LOCAL_SSD = "-nolssd"


class LocalSsd(msgspec.Struct, frozen=True, kw_only=True):
    """The local SSDs of a machine.

    With mode `bundled` the machine always has `count` disks; with `optional` it has up to `max_count`,
    as asked for; with `none` it cannot have any. `disk_gib` is the size of one disk.
    """

    mode: Literal["bundled", "optional", "none"]
    count: int = 0
    max_count: int = 0
    disk_gib: int = 375

    @property
    def total_gib(self) -> int:
        """Size of the bundled disks together."""
        return self.count * self.disk_gib


class Machine(Fact, frozen=True, kw_only=True):
    """A machine type.

    `series` is the word that placement facts use (`a3-high`, `a4x-max`, `n1`). `gpus` counts the GPUs
    that come with the machine: 0 for none, a fraction where a GPU is shared. `capacity` tells for each
    capacity model whether the machine is sold under it, None where that is not known. `zones` is None
    where no list is known; lists depend on the account, so they are never certain.
    `boot_disk_types` starts with the one to take by default. `supported_on_vm` is empty,
    or the reason why no virtual machine of this type is built. Machines that are
    `reservation_bound` are reserved through the AI Hypercomputer, and deleted when the reservation ends.
    On GKE a machine of `bare_metal` is no shielded one, and its nodes keep `huge_pages_2m` pages of 2 MiB and
    have `node_labels`, for what sets up their interfaces.
    Without `live_migration` a machine cannot be moved to another host while it runs; none with GPUs can.
    """

    name: str
    series: str
    vcpus: int
    memory_gb: float
    gpus: float = 0
    gpu: Gpu | None = None
    local_ssd: LocalSsd
    network: NetworkLayout
    bandwidth_gbps: int | None = None
    boot_disk_types: tuple[str, ...]
    capacity: dict[CapacityModel, bool | None]
    zones: tuple[str, ...] | None = None
    architecture: Literal["amd64", "arm64"] = "amd64"
    compact_placement: bool = False
    workload_policy: WorkloadPolicy | None = None
    supported_on_vm: str = ""
    threads_per_core_selectable: bool = True
    shared_core: bool = False
    shielded_vm_notes: str = ""
    reservation_bound: bool = False
    bare_metal: bool = False
    huge_pages_2m: int = 0
    node_labels: dict[str, str] = msgspec.field(default_factory=dict)
    live_migration: bool = False

    @property
    def gpu_memory_gb(self) -> float:
        """Memory of all GPUs together."""
        return self.gpus * self.gpu.memory_gb if self.gpu else 0

    @property
    def max_group_size(self) -> int | None:
        """How many machines one managed instance group can hold; None if the type sets no limit."""
        return self.workload_policy.max_group_size if self.workload_policy else None


class _Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    # What the documentation states for the whole machine: a second entry for what follows from the GPUs,
    # disks and networks, which tests compare. `local_ssd_gib` is what is always there.
    gpu_memory_gb: int
    local_ssd_gib: int
    nics: int


class _Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    # `local_ssds` is the bundled number, or the largest one where they are optional
    name: str
    gpus: float
    vcpus: int
    memory_gb: float
    bandwidth_gbps: int
    local_ssds: int
    stated: _Stated
    network: str = ""


class _LocalSsdOfFamily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: Literal["bundled", "optional"]
    disk_gib: int = 375


class _Family(Fact, frozen=True, kw_only=True):
    series: str
    accelerator_type: str
    network: str
    local_ssd: _LocalSsdOfFamily
    boot_disk_types: tuple[str, ...]
    capacity: dict[CapacityModel, bool | None]
    compact_placement: bool
    sizes: tuple[_Size, ...]
    nolssd_variant: bool = False
    architecture: Literal["amd64", "arm64"] = "amd64"
    workload_policy: WorkloadPolicy | None = None
    threads_per_core_selectable: bool = True
    shielded_vm_notes: str = ""
    supported_on_vm: str = ""
    reservation_bound: bool = False
    bare_metal: bool = False
    huge_pages_2m: int = 0
    node_labels: dict[str, str] = msgspec.field(default_factory=dict)


@cache
def _families() -> dict[str, _Family]:
    return read_table("google/machines", dict[str, _Family])


@cache
def _accelerator_sizes() -> dict[str, tuple[str, _Size]]:
    # name -> key of its family and its size, in the order of the table
    sizes: dict[str, tuple[str, _Size]] = {}
    for key, family in _families().items():
        for size in family.sizes:
            sizes[size.name] = (key, size)
            if family.nolssd_variant:
                sizes[size.name + _NO_LOCAL_SSD] = (key, size)
    return sizes


@cache
def machine(name: str) -> Machine | None:
    """Find a machine type by its name; TPU machine types are found by `tpu_type_of`."""
    if found := _accelerator_sizes().get(name):
        return _accelerator_machine(name, *found)
    if size := cpu_size(name):
        return _cpu_machine(name, size)
    return None


def relative_of(name: str) -> Machine | None:
    """Another machine type without accelerators of the same series, for a name that is not known."""
    beginning = f"{name.partition('-')[0]}-"
    return next((machine(each) for each in cpu_names() if each.startswith(beginning)), None)


def machines() -> tuple[Machine, ...]:
    """All machine types with GPUs of their own, in the order of the table: by series, then by size."""
    return tuple(found for name in _accelerator_sizes() if (found := machine(name)))


def machine_names() -> tuple[str, ...]:
    """Names of all machine types that are known, those with GPUs first; custom ones are not in it."""
    return (*_accelerator_sizes(), *cpu_names())


def is_accelerator_prefix(name: str) -> bool:
    """Whether a name is one of an accelerator machine, known or not."""
    return name.startswith(_ACCELERATOR_PREFIXES)


def zones_of(name: str) -> tuple[str, ...] | None:
    """Where a machine type, an attachable GPU or a TPU was seen; None where nothing is known."""
    if found := machine(name):
        return found.zones
    tpu = tpu_type_of(name)
    zones = zone_list(tpu.name if tpu else name)
    return zones.names if zones else None


def _accelerator_machine(name: str, key: str, size: _Size) -> Machine:
    family = _families()[key]
    zones = zone_list(key)
    bare = name.endswith(_NO_LOCAL_SSD)
    uncertain = {**family.uncertain, "zones": why_zones_are_uncertain()}
    doubt = uncertain.pop("nolssd_variant", "")
    if bare and doubt:
        uncertain["name"] = doubt
    return Machine(
        name=name,
        series=family.series,
        vcpus=size.vcpus,
        memory_gb=size.memory_gb,
        gpus=size.gpus,
        gpu=gpu(family.accelerator_type),
        local_ssd=_local_ssd(family, size, bare=bare),
        network=network_layout(size.network or family.network),
        bandwidth_gbps=size.bandwidth_gbps,
        boot_disk_types=family.boot_disk_types,
        capacity=family.capacity,
        zones=zones.names if zones else None,
        architecture=family.architecture,
        compact_placement=family.compact_placement,
        workload_policy=family.workload_policy,
        supported_on_vm=family.supported_on_vm,
        threads_per_core_selectable=family.threads_per_core_selectable,
        shielded_vm_notes=family.shielded_vm_notes,
        reservation_bound=family.reservation_bound,
        bare_metal=family.bare_metal,
        huge_pages_2m=family.huge_pages_2m,
        node_labels=family.node_labels,
        notes=family.notes,
        uncertain=uncertain,
        sources=tuple(dict.fromkeys((*family.sources, *(zones.sources if zones else ())))),
        date=family.date,
    )


def _local_ssd(family: _Family, size: _Size, *, bare: bool) -> LocalSsd:
    if bare or not size.local_ssds:
        return LocalSsd(mode="none")
    count = size.local_ssds if family.local_ssd.mode == "bundled" else 0
    return LocalSsd(
        mode=family.local_ssd.mode,
        count=count,
        max_count=size.local_ssds,
        disk_gib=family.local_ssd.disk_gib,
    )


def _cpu_machine(name: str, size: CpuSize) -> Machine:
    table = cpu_table()
    family = table.families[size.family]
    return Machine(
        name=name,
        series=size.family,
        vcpus=size.vcpus,
        memory_gb=size.memory_gb,
        local_ssd=_local_ssd_of_cpu(family, size),
        network=network_layout(family.network or table.network),
        boot_disk_types=family.boot_disk_types,
        capacity=table.capacity | family.capacity,
        architecture=family.architecture,
        compact_placement=family.compact_placement,
        workload_policy=family.workload_policy,
        # one thread cannot be switched off
        threads_per_core_selectable=(
            family.threads_per_core_selectable and size.vcpus > 1 and not size.shared_core
        ),
        shared_core=size.shared_core,
        live_migration=family.live_migration,
        notes=family.notes,
        uncertain={**table.uncertain, **family.uncertain, "zones": why_zones_are_uncertain()},
        sources=family.sources,
        date=family.date,
    )


def _local_ssd_of_cpu(family: CpuFamily, size: CpuSize) -> LocalSsd:
    if size.local_ssds:
        return LocalSsd(mode="bundled", count=size.local_ssds, max_count=size.local_ssds)
    if family.local_ssds and not size.shared_core:
        return LocalSsd(mode="optional", max_count=family.local_ssds)
    return LocalSsd(mode="none")
