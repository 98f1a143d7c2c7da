"""Storage classes of a blueprint: what somebody's claim of each gets."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import DiskClass, FileClass, StorageClass
from clusterprint.derived import volumes


def storage_classes_data(blueprint: Blueprint) -> list[dict[str, Any]]:
    """All storage classes of a blueprint without mistakes: those of disks, then those of file systems.

    IOPS and MiB/s are those of each disk; None where its type and size decide. Without `zones` a pool, or the
    first pod, decides where it is made.
    """
    if not isinstance(blueprint, KubernetesBlueprint):
        return []
    storage = blueprint.storage
    return [*map(_disks, storage.disk_classes), *map(_files, storage.file_classes)]


def _disks(made: DiskClass) -> dict[str, Any]:
    return {
        **_common(made, "disk", made.type),
        "iops": _said(made.iops),
        "throughput_mbps": _said(made.throughput_mbps),
        "pool": _said(made.pool),
    }


def _files(made: FileClass) -> dict[str, Any]:
    return {**_common(made, made.kind, _tier(made)), "iops": None, "throughput_mbps": None, "pool": None}


def _common(made: StorageClass, kind: str, type: str) -> dict[str, Any]:
    return {
        "name": made.name,
        "kind": kind,
        "type": type,
        "zones": list(made.zones),
        "binding": made.binding,
        "reclaim_policy": made.reclaim_policy,
        "default": made.default,
    }


def _said(value: str | int | UnsetType) -> str | int | None:
    return None if value is UNSET else value


def _tier(files: FileClass) -> str:
    if files.kind == "lustre":
        return f"{volumes.lustre_throughput(files)} MB/s per TiB"
    return volumes.tier_name(files)


#: The titles of the cells.
HEADER = ("CLASS", "KIND", "TYPE", "IOPS", "MIB/S", "POOL", "ZONES", "MADE", "WITHOUT ITS CLAIM")

#: Those under which numbers stand.
NUMBERS = frozenset(("IOPS", "MIB/S"))

_MADE = {"first_use": "with the first pod", "immediate": "with the claim"}
_AFTER = {"delete": "deleted", "retain": "stays"}


def cells(data: dict[str, Any]) -> Iterator[str]:
    """One line of a table about it."""
    yield f"{data['name']} (default)" if data["default"] else data["name"]
    yield from (data["kind"], data["type"])
    for key in ("iops", "throughput_mbps"):
        yield "-" if data[key] is None else f"{data[key]:,}"
    yield data["pool"] or "-"
    yield ", ".join(data["zones"]) or "-"
    yield _MADE[data["binding"]]
    yield _AFTER[data["reclaim_policy"]]
