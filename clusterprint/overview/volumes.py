"""The volumes of a blueprint: what each gives, and what it costs."""

from collections.abc import Iterable, Iterator
from typing import Any

from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import MonthlyPrice, Speed, disk_prices, seconds_per_tb
from clusterprint.catalog.fact import Fact
from clusterprint.derived import azure_volumes, volume_prices, volumes
from clusterprint.derived.machine_groups import groups_of
from clusterprint.derived.machines import Machines
from clusterprint.review.stored import carried


def volumes_data(blueprint: Blueprint) -> list[dict[str, Any]]:
    """All volumes of a blueprint without mistakes, in its order; None is not known, or depends on use."""
    machines = [each.machines for each in groups_of(blueprint)]
    nodes = carried(machines)
    if isinstance(blueprint, VmssBlueprint):
        return [_azure(each, str(blueprint.location), nodes) for each in blueprint.storage.volumes]
    if not isinstance(blueprint, GoogleBlueprint):
        return []
    found = []
    for each in volumes.volumes(blueprint.storage):
        disks = _disks_of_nodes(blueprint, machines) if volumes.is_own_disk(each) else 1
        price = volume_prices.price(each, blueprint.region) if disks else None
        if price and disks:
            price = price._replace(usd=round(price.usd * disks, 2))
        found.append(_google(each, price, volumes.speed(each, disks), nodes))
    return found


def _disks_of_nodes(blueprint: GoogleBlueprint, machines: Iterable[Machines]) -> int | None:
    """How many disks all nodes have for themselves; None for those of pods, whose number nobody knows."""
    return sum(each.most for each in machines) if isinstance(blueprint, VmBlueprint) else None


def _google(
    volume: GoogleVolume, price: MonthlyPrice | None, speed: Speed | None, nodes: int | None
) -> dict[str, Any]:
    known: Fact | None = volumes.tier(volume) if volume.create else None
    if volume.kind == "disk" and speed:
        known = disk_prices(volumes.disk_type(volume))
    return {
        "name": volume.name,
        "kind": volume.kind,
        "created": volume.create,
        "type": _type(volume),
        "size_gb": _size(volume),
        **_rates(speed, None if volume.kind == "disk" else nodes, as_fast_as_nodes=volume.kind == "bucket"),
        **_cost(price),
        "source": known.sources[0] if known else "",
        "date": known.date if known else "",
    }


def _cost(price: MonthlyPrice | None) -> dict[str, Any]:
    return {
        "usd_per_month": price.usd if price else None,
        "price_region": price.region if price else None,
        "price_source": price.source if price else "",
    }


def _azure(volume: AzureVolume, location: str, nodes: int | None) -> dict[str, Any]:
    is_lustre = volume.kind == "managed_lustre" and volume.create
    size = azure_volumes.lustre_gib(volume) if is_lustre else azure_volumes.share_gib(volume)
    known = azure_volumes.lustre_tier(volume) if is_lustre else azure_volumes.files(volume)
    return {
        "name": volume.name,
        "kind": volume.kind,
        "created": volume.create,
        "type": f"{azure_volumes.lustre_throughput(volume)} MB/s per TiB" if is_lustre else "",
        "size_gb": size if known else None,
        **_rates(known.speed(size) if known else None, nodes),
        **_cost(volume_prices.azure_price(volume, location)),
        "source": known.sources[0] if known else "",
        "date": known.date if known else "",
    }


def _rates(speed: Speed | None, nodes: int | None, *, as_fast_as_nodes: bool = False) -> dict[str, Any]:
    """The throughput of a volume, and of the nodes that read it: the slower one limits.

    `nodes` is what their networks carry; None for disks, which are not reached through those.
    """
    by_nodes = nodes if as_fast_as_nodes else None
    if speed:
        by_nodes = min(speed.read_mbps, nodes) if nodes else None
    return {
        "read_mbps": (speed.read_mbps or None) if speed else None,
        "write_mbps": (speed.write_mbps or None) if speed else None,
        "nodes_read_mbps": by_nodes,
        "read_iops": (speed.read_iops or None) if speed else None,
        "write_iops": (speed.write_iops or None) if speed else None,
        "seconds_per_tb_written": seconds_per_tb(min(speed.write_mbps, nodes or speed.write_mbps))
        if speed and speed.write_mbps
        else None,
    }


def _type(volume: GoogleVolume) -> str:
    """The tier or type of a created volume, as the blueprint calls it."""
    if not volume.create:
        return ""
    if volume.kind in volumes.DEFAULT_TIERS:
        return volumes.tier_name(volume)
    if volume.kind == "lustre":
        return f"{volumes.lustre_throughput(volume)} MB/s per TiB"
    if volume.kind == "parallelstore":
        return "scratch"
    return volumes.disk_type(volume) if volume.kind == "disk" else ""


def _size(volume: GoogleVolume) -> int | None:
    return volumes.size_gib(volume) or None if volume.create else None


def cells(data: dict[str, Any]) -> Iterator[str]:
    """One line of a table about it."""
    yield from (data["name"], data["kind"])
    yield data["type"] or ("-" if data["created"] else "exists")
    yield _number(data["size_gb"])
    yield f"{_number(data['read_mbps'])} / {_number(data['write_mbps'])}"
    yield _number(data["nodes_read_mbps"])
    yield f"{_number(data['read_iops'])} / {_number(data['write_iops'])}"
    yield "?" if data["seconds_per_tb_written"] is None else f"{data['seconds_per_tb_written']:,} s"
    yield _number(data["usd_per_month"])
    yield data["price_region"] or "-"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:,}"


#: The titles of the cells.
HEADER = (
    *("VOLUME", "KIND", "TYPE", "GIB", "MB/S READ / WRITTEN", "BY NODES", "IOPS READ / WRITTEN"),
    *("1 TB WRITTEN IN", "USD/MONTH", "PRICE OF"),
)

#: Those under which numbers stand.
NUMBERS = frozenset(("GIB", "BY NODES", "1 TB WRITTEN IN", "USD/MONTH"))
