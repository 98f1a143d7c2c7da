"""The volumes of a blueprint: what each gives, and what it costs."""

from collections.abc import Iterator
from typing import Any

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes


def volumes_data(blueprint: Blueprint) -> list[dict[str, Any]]:
    """All volumes of a blueprint without mistakes, in its order; None is not known, or depends on use."""
    if not isinstance(blueprint, GoogleBlueprint):
        return []
    return [_data(each, blueprint.region) for each in volumes.volumes(blueprint.storage)]


def _data(volume: GoogleVolume, region: str) -> dict[str, Any]:
    speed, price, tier = volumes.speed(volume), volumes.price(volume, region), volumes.tier(volume)
    return {
        "name": volume.name,
        "kind": volume.kind,
        "created": volume.create,
        "type": _type(volume),
        "size_gb": _size(volume),
        "read_mbps": speed.read_mbps if speed else None,
        "write_mbps": speed.write_mbps if speed else None,
        "read_iops": (speed.read_iops or None) if speed else None,
        "write_iops": (speed.write_iops or None) if speed else None,
        "seconds_per_tb_written": speed.seconds_per_tb if speed else None,
        "usd_per_month": price.usd if price else None,
        "price_region": price.region if price else None,
        "source": tier.sources[0] if tier and volume.create else "",
        "date": tier.date if tier and volume.create else "",
    }


def _type(volume: GoogleVolume) -> str:
    """The tier or type of a created volume, as the blueprint calls it."""
    if not volume.create:
        return ""
    if volume.kind in volumes.DEFAULT_TIERS:
        return volumes.tier_name(volume)
    if volume.kind == "lustre":
        return f"{volumes.lustre_throughput(volume)} MB/s per TiB"
    return volumes.disk_type(volume) if volume.kind == "disk" else ""


def _size(volume: GoogleVolume) -> int | None:
    return volumes.size_gib(volume) or None if volume.create else None


def cells(data: dict[str, Any]) -> Iterator[str]:
    """One line of a table about it."""
    yield from (data["name"], data["kind"])
    yield data["type"] or ("-" if data["created"] else "exists")
    yield _number(data["size_gb"])
    yield f"{_number(data['read_mbps'])} / {_number(data['write_mbps'])}"
    yield f"{_number(data['read_iops'])} / {_number(data['write_iops'])}"
    yield "?" if data["seconds_per_tb_written"] is None else f"{data['seconds_per_tb_written']:,} s"
    yield _number(data["usd_per_month"])
    yield data["price_region"] or "-"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:,}"


#: The titles of the cells.
HEADER = (
    *("VOLUME", "KIND", "TYPE", "GIB", "MB/S READ / WRITTEN", "IOPS READ / WRITTEN"),
    *("1 TB WRITTEN IN", "USD/MONTH", "PRICE OF"),
)

#: Those under which numbers stand.
NUMBERS = frozenset(("GIB", "1 TB WRITTEN IN", "USD/MONTH"))
