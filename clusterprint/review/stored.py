"""Resources that store data: size, performance, and monthly cost."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from clusterprint import catalog
from clusterprint.catalog import (
    AzureLustreTier,
    FilestoreTier,
    LustreTier,
    MonthlyPrice,
    NetappTier,
    ParallelstoreTier,
    Speed,
)
from clusterprint.catalog.prices import ListedModel
from clusterprint.derived.machines import DataDisk, Disk, Machines
from clusterprint.resource_types import resource_type
from clusterprint.review.delta import Resource, get, whole
from clusterprint.review.known import called, region_at
from clusterprint.review.machines import Side, linked, machines_of
from clusterprint.words import counted

_Tier = FilestoreTier | LustreTier | NetappTier | ParallelstoreTier | AzureLustreTier


class Stored(NamedTuple):
    """A file system, a disk, a pool of disks or a share; `price` is None where no list has one."""

    what: str
    region: str
    price: MonthlyPrice | None
    source: str
    date: str
    model: ListedModel = "on_demand"


def stored_of(resources: Side) -> Counter[Stored]:
    """All of one side that is paid for by its size, and how often: disks of nodes once for each node.

    In the order of their resources, disks of nodes last. Left out are file systems whose tier is not known,
    and what is in pools of disks, which are paid for in its place.
    """
    found: Counter[Stored] = Counter()
    for each in resources:
        reader = _READERS.get(resource_type(each.type).price or "")
        stored = reader(each, resources) if reader else None
        if stored:
            found[stored] += 1
    for machines in machines_of(resources):
        for disk in machines.disks if machines.most else ():
            if disk.data and not disk.is_pooled:
                found[_own_disk(disk, disk.data, machines.region)] += machines.most
    return found


def carried(machines: Sequence[Machines]) -> int | None:
    """The most that all machines together read, in MB/s; None if one of them is not known.

    Those with accelerators, if there are any: others look after the cluster.
    """
    known = [(each, catalog.machine(each.machine_type)) for each in machines]
    sizes = [(each, found or catalog.azure_size(each.machine_type)) for each, found in known]
    working = [each for each, found in sizes if each.accelerators or (found and found.gpus)] or machines
    rates = [(each.most, catalog.client_mbps(each.machine_type)) for each in working]
    total = sum(most * rate for most, rate in rates if rate)
    return total if total and all(rate for _, rate in rates) else None


# ---- File systems


def _filestore(resource: Resource, _: Side) -> Stored | None:
    values = resource.values
    tier = str(get(values, "tier", "")).lower()
    size = whole(get(values, "file_shares.capacity_gb"))
    named = f"Filestore {tier}{called(get(values, 'name'))}"
    return _file_system(named, catalog.filestore_tier(tier), size, get(values, "location"))


def _lustre(resource: Resource, _: Side) -> Stored | None:
    values = resource.values
    rate, size = whole(get(values, "per_unit_storage_throughput")), whole(get(values, "capacity_gib"))
    named = f"Managed Lustre{called(get(values, 'instance_id'))}, {rate} MB/s per TiB"
    return _file_system(named, catalog.lustre_tier(rate), size, get(values, "location"))


def _azure_lustre(resource: Resource, _: Side) -> Stored | None:
    values = resource.values
    rate = whole(str(get(values, "sku_name", "")).rpartition("-")[2])
    size = whole(get(values, "storage_capacity_in_tb")) * 1024
    named = f"Managed Lustre{called(get(values, 'name'))}, {rate} MB/s per TiB"
    return _file_system(named, catalog.azure_lustre_tier(rate), size, get(values, "location"))


def _parallelstore(resource: Resource, _: Side) -> Stored | None:
    values = resource.values
    named = f"Parallelstore{called(get(values, 'instance_id'))}"
    size = whole(get(values, "capacity_gib"))
    return _file_system(named, catalog.parallelstore_tier(), size, get(values, "location"))


def _netapp(resource: Resource, _: Side) -> Stored | None:
    values = resource.values
    level, size = str(get(values, "service_level", "")).lower(), whole(get(values, "capacity_gib"))
    named = f"NetApp {level}{called(get(values, 'name'))}"
    tier = catalog.netapp_tier(level)
    speed = tier.speed(size, whole(get(values, "total_throughput_mibps"))) if tier else None
    return _file_system(named, tier, size, get(values, "location"), speed)


def _file_system(
    named: str, tier: _Tier | None, size: int, place: Any, bought: Speed | None = None
) -> Stored | None:
    if tier is None or not size:
        return None
    region = region_at(place)
    speed = bought or tier.speed(size)
    gives = f" ({_gives(speed)})" if speed else ""
    price = tier.price(size, region)
    source = price.source if price else tier.sources[0]
    return Stored(f"{named}, {size:,} GiB{gives}", region, price, source, tier.date)


def _gives(speed: Speed) -> str:
    read, written = f"{speed.read_mbps:,} MB/s read", f"{speed.write_mbps:,} MB/s written"
    return f"{read}, {written}: 1 TB in {counted(math.ceil(speed.seconds_per_tb), 'second')}"


# ---- Disks


def _pool(resource: Resource, _: Side) -> Stored | None:
    """A pool of disks is paid for by what is bought, whatever is in it; no list price of it is known."""
    values = resource.values
    kind = str(get(values, "storage_pool_type", "")).rpartition("/")[2]
    known = catalog.disk_pool_type(kind)
    gib, iops, mibps = (
        whole(get(values, f"pool_provisioned_{name}")) for name in ("capacity_gb", "iops", "throughput")
    )
    if known is None or not gib:
        return None
    what = f"Pool{called(get(values, 'name'))} of {kind}, {_sized(gib, iops, mibps)}"
    return Stored(what, region_at(get(values, "zone")), None, known.sources[0], known.date)


def _shared_disk(resource: Resource, _: Side) -> Stored | None:
    values = resource.values
    if get(values, "storage_pool"):
        return None
    gib, iops, mibps = (
        whole(get(values, name)) for name in ("size", "provisioned_iops", "provisioned_throughput")
    )
    kind = str(get(values, "type", "pd-standard")).rpartition("/")[2]
    named = f"Disk{called(get(values, 'name'))}"
    return _disk(named, kind, (gib, iops, mibps), region_at(get(values, "zone")))


def _own_disk(disk: Disk, data: DataDisk, region: str) -> Stored:
    return _disk(f"Disk {data.device} of each node", disk.type, (disk.gb, data.iops, data.mibps), region)


def _disk(named: str, kind: str, asked: tuple[int, int, int], region: str) -> Stored:
    """A disk for which so many GiB, IOPS and MiB/s are asked."""
    taken, known = catalog.provisioned(kind, *asked), catalog.disk_prices(kind)
    price = catalog.disk_price(kind, taken, region) if taken else None
    what = f"{named}, {kind}, {_sized(*(taken or asked))}"
    return Stored(what, region, price, price.source if price else "", known.date if known else "")


def _sized(gib: int, iops: int, mibps: int) -> str:
    amounts = ((gib, "GiB"), (iops, "IOPS"), (mibps, "MiB/s"))
    bought = ", ".join(f"{amount:,} {unit}" for amount, unit in amounts if amount)
    return bought if gib else "of a size that is not known"


# ---- Shares


def _share(resource: Resource, side: Side) -> Stored:
    """A share of Azure Files: what it costs, and where it is, is up to its account."""
    account = linked(resource, "storage_account_id", "azurerm_storage_account", side)
    values = account.values if account else {}
    tier, copies = (str(get(values, f"account_{name}", "")) for name in ("tier", "replication_type"))
    size, region = whole(get(resource.values, "quota")), region_at(get(values, "location"))
    files = catalog.azure_files(tier, copies)
    price = files.price(size, region) if files and size else None
    sold = f", {tier} {copies}" if tier else ""
    gives = f" ({_gives(files.speed(size))})" if files and size else ""
    what = f"Azure Files{called(get(resource.values, 'name'))}{sold}, {_sized(size, 0, 0)}{gives}"
    return Stored(what, region, price, price.source if price else "", files.date if files else "")


_READERS: dict[str, Callable[[Resource, Side], Stored | None]] = {
    "filestore": _filestore,
    "lustre": _lustre,
    "parallelstore": _parallelstore,
    "netapp": _netapp,
    "disk pool": _pool,
    "disk": _shared_disk,
    "azure lustre": _azure_lustre,
    "azure share": _share,
}
