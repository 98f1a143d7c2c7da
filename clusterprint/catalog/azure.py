"""Azure sizes with GPUs or InfiniBand, and Azure locations."""

import re
from functools import cache
from typing import Literal

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class _AzureEntry(Fact, frozen=True, kw_only=True):
    family: str
    gpus: int
    gpu_model: str
    gpu_memory_gb: float
    vcpus: int
    memory_gb: float
    ib_hcas: int
    nvme_disks: int
    temp_disk_gib: int | None
    max_nics: int
    frontend_mbps: int
    images: tuple[str, ...]
    ib_gbps: int = 0
    nccl_topology: str = ""
    architecture: Literal["amd64", "arm64"] = "amd64"
    constrained_vcpus: tuple[int, ...] = ()


class AzureSize(_AzureEntry, frozen=True, kw_only=True):
    """A size of virtual machine.

    `gpu_memory_gb` is the memory of one GPU. `ib_hcas` counts the InfiniBand interfaces (0 for none) of
    `ib_gbps` each. `images` are marketplace images `publisher:offer:sku:version`, the first one to be
    taken by default. `nccl_topology` is the file of those images that NCCL reads. A size
    without GPUs has 0 of them, and no model. `constrained_vcpus` are the numbers of processors of its other
    forms, `Standard_HB120-16rs_v3` for one, which have fewer of them and else all that it has.
    """

    name: str

    @property
    def whole(self) -> str:
        """The name of the size with all processors: `Standard_HB120rs_v3` of `Standard_HB120-16rs_v3`."""
        return re.sub(r"-[0-9]+", "", self.name, count=1)


@cache
def _table() -> dict[str, AzureSize]:
    entries = read_table("azure/sizes", dict[str, _AzureEntry])
    return {name: AzureSize(name=name, **msgspec.structs.asdict(entry)) for name, entry in entries.items()}


class _Locations(Fact, frozen=True, kw_only=True):
    names: tuple[str, ...]


@cache
def azure_locations() -> tuple[str, ...]:
    """All locations of Azure's public cloud, sorted, such as `southcentralus`."""
    return read_table("azure/locations", _Locations).names


# Azure: naming conventions of sizes: family, vCPUs, constrained vCPUs, features in small letters, the rest.
_NAME = re.compile(r"(Standard_[A-Z]+[0-9]+)(?:-([0-9]+))?([a-z]*)(.*)")


def azure_size(name: str) -> AzureSize | None:
    """Find a size by its name, such as `Standard_ND96isr_H200_v5` or `Standard_HB120-16rs_v3`."""
    if found := _table().get(name):
        return found
    match = _NAME.fullmatch(name)
    whole = _table().get(f"{match[1]}{match[3]}{match[4]}") if match and match[2] else None
    if match is None or whole is None or int(match[2]) not in whole.constrained_vcpus:
        return None
    return msgspec.structs.replace(whole, name=name, vcpus=int(match[2]), constrained_vcpus=())


def says_rdma(name: str) -> bool:
    """Whether the name of a size says that it has InfiniBand, known here or not: by a small `r`."""
    match = _NAME.fullmatch(name)
    return match is not None and "r" in match[3]


def azure_sizes() -> tuple[AzureSize, ...]:
    """All sizes."""
    return tuple(_table().values())
