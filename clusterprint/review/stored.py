"""The file systems that resources stand for: how large, what each gives, and what it costs for a month."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from clusterprint import catalog
from clusterprint.catalog import (
    AzureLustreTier,
    FilestoreTier,
    LustreTier,
    MonthlyPrice,
    NetappTier,
    Speed,
    region_of,
)
from clusterprint.catalog.prices import ListedModel
from clusterprint.review.delta import Resource, get
from clusterprint.review.machines import Machines
from clusterprint.words import counted

_DASHES_OF_A_ZONE = 2
# No file system has more digits of GiB; plans are other people's text.
_LONGEST = 12


class Stored(NamedTuple):
    """A file system; `price` is None where no list has one."""

    what: str
    region: str
    price: MonthlyPrice | None
    source: str
    date: str
    model: ListedModel = "on_demand"


def stored_of(resources: Iterable[Resource]) -> list[Stored]:
    """All managed file systems of one side whose tier is known, in the order of their resources."""
    return [found for each in resources if (found := _stored(each))]


def carried(machines: Sequence[Machines]) -> int | None:
    """What all machines together read at most, in MB/s; None where one of them is not known.

    Those with accelerators, if there are any: others look after the cluster.
    """
    known = [(each, catalog.machine(each.machine_type)) for each in machines]
    sizes = [(each, found or catalog.azure_size(each.machine_type)) for each, found in known]
    working = [each for each, found in sizes if each.accelerators or (found and found.gpus)] or machines
    rates = [(each.most, catalog.client_mbps(each.machine_type)) for each in working]
    total = sum(most * rate for most, rate in rates if rate)
    return total if total and all(rate for _, rate in rates) else None


def _stored(resource: Resource) -> Stored | None:
    values = resource.values
    if resource.type == "google_filestore_instance":
        name = str(get(values, "tier", "")).lower()
        size = _whole(get(values, "file_shares.capacity_gb"))
        return _described(f"Filestore {name}", catalog.filestore_tier(name), size, values)
    if resource.type == "google_lustre_instance":
        rate = _whole(get(values, "per_unit_storage_throughput"))
        size = _whole(get(values, "capacity_gib"))
        return _described(f"Managed Lustre, {rate} MB/s per TiB", catalog.lustre_tier(rate), size, values)
    if resource.type == "azurerm_managed_lustre_file_system":
        rate = _whole(get(values, "sku_name", "").rpartition("-")[2])
        size = _whole(get(values, "storage_capacity_in_tb")) * 1024
        return _described(
            f"Managed Lustre, {rate} MB/s per TiB", catalog.azure_lustre_tier(rate), size, values
        )
    if resource.type == "google_netapp_storage_pool":
        level = str(get(values, "service_level", "")).lower()
        size = _whole(get(values, "capacity_gib"))
        return _described(f"NetApp {level}", catalog.netapp_tier(level), size, values)
    return _pool(values) if resource.type == "google_compute_storage_pool" else None


def _pool(values: Any) -> Stored | None:
    """A pool of disks is paid for by what is bought, whatever is in it; no list price of it is known."""
    kind = str(get(values, "storage_pool_type", "")).rpartition("/")[2]
    known = catalog.disk_pool_type(kind)
    bought = {
        unit: _whole(get(values, f"pool_provisioned_{name}"))
        for name, unit in (("capacity_gb", "GiB"), ("throughput", "MiB/s"), ("iops", "IOPS"))
    }
    if known is None or not bought["GiB"]:
        return None
    size = ", ".join(f"{amount:,} {unit}" for unit, amount in bought.items() if amount)
    region = region_of(str(get(values, "zone", "")))
    return Stored(f"Pool of {kind}, {size}", region, None, known.sources[0], known.date)


def _described(
    name: str, tier: FilestoreTier | LustreTier | NetappTier | AzureLustreTier | None, size: int, values: Any
) -> Stored | None:
    if tier is None or not size:
        return None
    location = str(get(values, "location", ""))
    region = region_of(location) if location.count("-") == _DASHES_OF_A_ZONE else location
    speed = tier.speed(size)
    gives = f" ({_gives(speed)})" if speed else ""
    price = tier.price(size, region)
    source = price.source if price else tier.sources[0]
    return Stored(f"{name}, {size:,} GiB{gives}", region, price, source, tier.date)


def _gives(speed: Speed) -> str:
    read, written = f"{speed.read_mbps:,} MB/s read", f"{speed.write_mbps:,} MB/s written"
    return f"{read}, {written}: 1 TB in {counted(math.ceil(speed.seconds_per_tb), 'second')}"


def _whole(value: Any) -> int:
    """A number, which the provider also takes as a text; 0 if it is none, or is known later."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else 0
