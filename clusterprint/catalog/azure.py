"""Azure sizes with GPUs, and Azure locations."""

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


class AzureSize(_AzureEntry, frozen=True, kw_only=True):
    """A size of virtual machine.

    `gpu_memory_gb` is the memory of one GPU. `ib_hcas` counts the InfiniBand interfaces (0 for none) of
    `ib_gbps` each. `images` are marketplace images `publisher:offer:sku:version`, the first one to be
    taken when nothing else is said. `nccl_topology` is the file of those images that NCCL reads.
    """

    name: str


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


def azure_size(name: str) -> AzureSize | None:
    """Find a size by its name, such as `Standard_ND96isr_H200_v5`."""
    return _table().get(name)


def azure_sizes() -> tuple[AzureSize, ...]:
    """All sizes."""
    return tuple(_table().values())
