"""Google machine series without accelerators; N1 is the one that GPUs can be attached to."""

from functools import cache
from typing import Literal, NamedTuple

import msgspec

from clusterprint.capacity_models import CapacityModel
from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.placement import WorkloadPolicy

# Memory of a custom type comes in steps of 256 MB.
_MEMORY_STEP_GB = 0.25


class CustomLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of custom machine types; ranges are inclusive, above one vCPU in steps."""

    vcpus: tuple[int, int]
    step: int
    memory_gb_per_vcpu: tuple[float, float]


class CpuFamily(Fact, frozen=True, kw_only=True):
    """A general-purpose or compute-optimized series.

    `sizes` gives for each shape the memory in GB per number of vCPUs; `shared_core` names types with
    [vCPUs, GB]; `local_ssds` is the largest number of local SSDs, 0 for none. `lssd` are the sizes that there
    also are with local SSDs of their own, by shape and vCPUs, with their number: `highmem-192` is
    `<series>-highmem-192-lssd`, too. `network` is how its interfaces are wired, empty for the usual way,
    and `capacity` what is known of how this series is sold, besides what is true of all.
    """

    sizes: dict[str, dict[int, float]]
    shared_core: dict[str, tuple[int, float]] = {}  # noqa: RUF012 - msgspec copies it
    custom: CustomLimits | None = None
    local_ssds: int = 0
    lssd: dict[str, int] = {}  # noqa: RUF012 - msgspec copies it
    boot_disk_types: tuple[str, ...]
    architecture: Literal["amd64", "arm64"] = "amd64"
    threads_per_core_selectable: bool = True
    compact_placement: bool = False
    workload_policy: WorkloadPolicy | None = None
    live_migration: bool = True
    network: str = ""
    capacity: dict[CapacityModel, bool | None] = {}  # noqa: RUF012


class CpuTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All series, and what they have in common."""

    network: str
    capacity: dict[CapacityModel, bool | None]
    uncertain: dict[str, str]
    families: dict[str, CpuFamily]


class CpuSize(NamedTuple):
    """One size of a series: memory in GB, and the number of local SSDs that always come with it."""

    family: str
    vcpus: int
    memory_gb: float
    shared_core: bool = False
    local_ssds: int = 0


@cache
def cpu_table() -> CpuTable:
    """All series."""
    return read_table("google/cpu_families", CpuTable)


def cpu_size(name: str) -> CpuSize | None:
    """Find a machine type without accelerators, predefined or custom, by its name."""
    return _predefined(name) or _shared_core(name) or _custom(name)


def _predefined(name: str) -> CpuSize | None:
    # n2-standard-8
    match name.split("-"):
        case [key, shape, vcpus] if (family := cpu_table().families.get(key)) and _is_number(vcpus):
            memory_gb = family.sizes.get(shape, {}).get(int(vcpus))
            return None if memory_gb is None else CpuSize(key, int(vcpus), memory_gb)
        # h4d-highmem-192-lssd
        case [key, shape, vcpus, "lssd"] if family := cpu_table().families.get(key):
            disks = family.lssd.get(f"{shape}-{vcpus}", 0)
            return (
                CpuSize(key, int(vcpus), family.sizes[shape][int(vcpus)], local_ssds=disks) if disks else None
            )
    return None


def _shared_core(name: str) -> CpuSize | None:
    for key, family in cpu_table().families.items():
        if name in family.shared_core:
            vcpus, memory_gb = family.shared_core[name]
            return CpuSize(key, vcpus, memory_gb, shared_core=True)
    return None


def _custom(name: str) -> CpuSize | None:
    # n2-custom-8-30720 is 8 vCPUs and 30720 MB; -ext lifts the upper limit of the memory
    parts = name.removesuffix("-ext").split("-")
    if parts[0] == "custom":  # the old way to write N1
        parts.insert(0, "n1")
    match parts:
        case [key, "custom", vcpus, megabytes] if _is_number(vcpus) and _is_number(megabytes):
            family = cpu_table().families.get(key)
            size = CpuSize(key, int(vcpus), int(megabytes) / 1024)
            extended = name.endswith("-ext")
            return (
                size if family and family.custom and _fits(family.custom, size, extended=extended) else None
            )
    return None


def _fits(limits: CustomLimits, size: CpuSize, *, extended: bool) -> bool:
    least, most = (gb * size.vcpus for gb in limits.memory_gb_per_vcpu)
    return (
        limits.vcpus[0] <= size.vcpus <= limits.vcpus[1]
        and (size.vcpus == 1 or size.vcpus % limits.step == 0)
        and size.memory_gb % _MEMORY_STEP_GB == 0
        and least <= size.memory_gb
        and (size.memory_gb <= most or extended)
    )


def _is_number(text: str) -> bool:
    # not what int() takes: no signs, no underscores, no leading zero, and never long
    return text.isascii() and text.isdigit() and not text.startswith("0") and len(text) < len("1000000000")


def cpu_names() -> tuple[str, ...]:
    """The predefined and shared-core types of all series, in the order of the table."""
    return tuple(
        name
        for key, family in cpu_table().families.items()
        for name in (
            *family.shared_core,
            *(f"{key}-{shape}-{vcpus}" for shape, sizes in family.sizes.items() for vcpus in sizes),
            *(f"{key}-{size}-lssd" for size in family.lssd),
        )
    )
