"""Facts of the simulated API about machine types."""

from dataclasses import dataclass

# Most interfaces that any VM may have (documentation "Multiple network interfaces", first generation NICs).
MOST_INTERFACES = 10


@dataclass(frozen=True)
class Interfaces:
    """How many interfaces of each kind a machine type has when its GPUs talk over all of them."""

    ordinary: int
    rdma: int = 0


# Documentation "GPU machine types", networking; cluster-toolkit examples of the same types.
INTERFACES = {
    "a3-highgpu-8g": Interfaces(5),
    "a3-megagpu-8g": Interfaces(9),
    "a3-ultragpu-8g": Interfaces(2, 8),
    "a4-highgpu-8g": Interfaces(2, 8),
    "a4x-highgpu-4g": Interfaces(2, 4),
}


@dataclass(frozen=True)
class Gpus:
    """The GPUs of an accelerator-optimized machine type, as GKE names them."""

    type: str
    count: int


# Documentation "GPU machine types".
_GPU_TYPES = {
    "a2-highgpu": "nvidia-tesla-a100",
    "a2-megagpu": "nvidia-tesla-a100",
    "a2-ultragpu": "nvidia-a100-80gb",
    "a3-highgpu": "nvidia-h100-80gb",
    "a3-megagpu": "nvidia-h100-mega-80gb",
    "a3-ultragpu": "nvidia-h200-141gb",
    "a4-highgpu": "nvidia-b200",
    "a4x-highgpu": "nvidia-gb200",
}
GPUS = {
    **{
        f"{kind}-{count}g": Gpus(name, count)
        for kind, name in _GPU_TYPES.items()
        for count in (1, 2, 4, 8, 16)
    },
    "a4x-maxgpu-4g-metal": Gpus("nvidia-gb300", 4),
}
# Documentation "GPU machine types": local SSDs that come with the machine type, always all of them.
LOCAL_SSDS = {
    "a2-ultragpu-1g": 1, "a2-ultragpu-2g": 2, "a2-ultragpu-4g": 4, "a2-ultragpu-8g": 8,
    "a3-highgpu-1g": 2, "a3-highgpu-2g": 4, "a3-highgpu-4g": 8, "a3-highgpu-8g": 16, "a3-edgegpu-8g": 16,
    "a3-megagpu-8g": 16, "a3-ultragpu-8g": 32, "a4-highgpu-8g": 32, "a4x-highgpu-4g": 4,
    "a4x-maxgpu-4g-metal": 4,
    "h4d-highmem-192-lssd": 10,
}  # fmt: skip
# Documentation "Run multi-instance GPUs": the sizes of partitions.
PARTITIONS = {
    "nvidia-tesla-a100": ("1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"),
    "nvidia-a100-80gb": ("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"),
    "nvidia-h100-80gb": ("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"),
    "nvidia-h100-mega-80gb": ("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"),
    "nvidia-h200-141gb": ("1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"),
    "nvidia-b200": ("1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"),
}
# Documentation "Live migration": no VM with GPUs can be migrated.
_WITH_GPUS = ("a2-", "a3-", "a4-", "a4x-", "g2-", "g4-")
# Documentation "Host events": the series that cannot be, with bare metal instances.
_NEVER_MIGRATED = ("h4d-",)
# Documentation "GPU machine types", limitations: the ways in which these can be had, without reservations of
# the default kind. Types that are not named can be had in every way.
_TERMS = {
    "a3-highgpu-1g": ("spot", "flex_start"),
    "a3-highgpu-2g": ("spot", "flex_start"),
    "a3-highgpu-4g": ("spot", "flex_start"),
    "a3-ultragpu-8g": ("spot", "flex_start", "reservation"),
    "a4-highgpu-8g": ("spot", "flex_start", "reservation"),
    "a4x-highgpu-4g": ("reservation",),
    "a4x-maxgpu-4g-metal": ("reservation",),
}
_EVERY_TERM = ("on_demand", "spot", "flex_start", "reservation")
# Documentation "Encrypt memory with Confidential VM clusters": what each technology is part of.
_CONFIDENTIAL = {
    "SEV": ("n2d-", "c2d-", "c3d-", "c4d-"),
    "SEV_SNP": ("n2d-",),
    "TDX": ("c3-standard-", "a3-highgpu-1g"),
}
# The same: one interface, whatever the number of GPUs.
SINGLE_INTERFACE = ("a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g")
# Documentation "Compact placement policies": series that it does not list.
NEVER_TOGETHER = ("e2-", "n1-", "f1-", "g1-", "t2a-", "t2d-")
# Documentation "GPU machine types", "HPC-optimized machine family": what boots from Hyperdisk Balanced only.
_HYPERDISK_ONLY = ("a3-ultragpu-", "a4-", "a4x-", "h4d-")
# Documentation "Use Cloud RDMA": series that may have one interface of type IRDMA, and no more.
_FALCON = ("h4d-",)


def has_gpus(machine_type: str) -> bool:
    """Whether the machine type comes with GPUs."""
    return machine_type.startswith(_WITH_GPUS)


def can_migrate(machine_type: str) -> bool:
    """Whether a VM of this type can be moved to another host while it runs, as far as its type goes."""
    return not machine_type.startswith(_NEVER_MIGRATED) and not machine_type.endswith("-metal")


def takes_falcon(machine_type: str) -> bool:
    """Whether VMs of this type may have an interface in a network with the Falcon RDMA profile."""
    return machine_type.startswith(_FALCON)


def has_confidential(machine_type: str, technology: str) -> bool:
    """Whether the processors of a machine type encrypt memory by a technology."""
    return machine_type.startswith(_CONFIDENTIAL.get(technology, ()))


def terms(machine_type: str) -> tuple[str, ...]:
    """The ways in which VMs of a type can be had."""
    return _TERMS.get(machine_type, _EVERY_TERM)


def takes_boot_disk(machine_type: str, disk_type: str) -> bool:
    """Whether a VM of this type can boot from a disk of that type."""
    return not disk_type or disk_type == "hyperdisk-balanced" or not machine_type.startswith(_HYPERDISK_ONLY)
