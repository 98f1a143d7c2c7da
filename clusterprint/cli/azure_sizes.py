"""Sizes of Azure as `clusterprint machines` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterprint.cli import list_prices
from clusterprint.cli.storage_facts import storage_facts
from clusterprint.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterprint.catalog import AzureSize

#: The titles of the columns of the list, what stands in them (see `row`), and how to read it.
HEADER = ("AZURE SIZE", "GPUS", "GPU GB", "RAM GB", "INFINIBAND", "NVME", "IMAGE", list_prices.TITLE)
LEGEND = """\
InfiniBand: interfaces and Gb/s of each. NVMe: local disks in addition to the temporary one.
Image: the default image; - means that the blueprint must name one.
"""


def row(size: AzureSize) -> tuple[str, ...]:
    """One line of the list, cell by cell."""
    image = size.images[0].split(":", 2)[2].partition(":")[0] if size.images else "-"
    return (
        size.name,
        f"{size.gpus} {size.gpu_model.split()[0]}" if size.gpus else "-",
        f"{size.gpus * size.gpu_memory_gb:g}" if size.gpus else "-",
        f"{size.memory_gb:g}",
        f"{size.ib_hcas}x{size.ib_gbps}" if size.ib_hcas else "-",
        str(size.nvme_disks) if size.nvme_disks else "-",
        image,
        list_prices.cell(size.name),
    )


def data(size: AzureSize) -> dict[str, Any]:
    """Everything about one, for programs."""
    import msgspec

    from clusterprint import catalog

    return {
        **msgspec.to_builtins(size),
        "storage_mbps": catalog.client_mbps(size.name),
        "prices": list_prices.data(size.name),
    }


def facts(size: AzureSize) -> Iterable[tuple[str, str]]:
    """Everything about one, each with its title."""
    from clusterprint import catalog

    yield "family", size.family
    yield "processor", f"{counted(size.vcpus, 'vCPU')}, {size.architecture}"
    yield "memory", f"{size.memory_gb:g} GB"
    if size.constrained_vcpus:
        yield "fewer vCPUs", ", ".join(map(str, size.constrained_vcpus))
    yield "GPUs", f"{size.gpus} x {size.gpu_model}" if size.gpus else "none"
    if size.gpus:
        yield "GPU memory", f"{size.gpus * size.gpu_memory_gb:g} GB together"
    yield "InfiniBand", f"{size.ib_hcas} x {size.ib_gbps} Gb/s" if size.ib_hcas else "none"
    yield "bandwidth", f"{size.frontend_mbps / 1000:g} Gbps, at most {counted(size.max_nics, 'NIC')}"
    yield from storage_facts(size.name)
    yield "local disks", _disks(size)
    yield "images", ", ".join(size.images) or "none is known"
    yield from list_prices.facts(size.name)
    if size.notes:
        yield "note", size.notes
    for field, why in size.uncertain.items():
        yield "uncertain", f"{field}: {why}"
    for key in size.sources:
        name, _, place = key.partition(" ")
        found = catalog.source(name)
        yield "source", f"{key}: {found.title}, {found.date}" if found else f"{name} {place}"
    yield "checked", size.date


def _disks(size: AzureSize) -> str:
    temporary = f"{size.temp_disk_gib} GiB temporary" if size.temp_disk_gib else "temporary one not known"
    return f"{size.nvme_disks} NVMe, {temporary}" if size.nvme_disks else temporary
