"""Pools of disks of a blueprint: what each holds, and whose disks are made in it."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.storage import KubernetesStorage
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import disk_pools, node_pools, volumes
from clusterprint.derived.machine_groups import Group, groups_of


def disk_pools_data(blueprint: Blueprint) -> list[dict[str, Any]]:
    """All pools of disks of a blueprint without mistakes, in its order.

    Capacity in GiB, throughput in MiB/s; None of a pool that exists already, and of what is not bought.
    `used_by` has the most disks that there may be, each of `size_gb`; None where others decide.
    """
    if not isinstance(blueprint, GoogleBlueprint):
        return []
    usual = node_pools.default_zone(blueprint) if isinstance(blueprint, KubernetesBlueprint) else ""
    return [_pool(each, blueprint, usual or blueprint.zone or "") for each in blueprint.storage.disk_pools]


def _pool(pool: DiskPool, blueprint: GoogleBlueprint, usual: str) -> dict[str, Any]:
    return {
        "name": pool.name,
        "created": pool.create,
        "pool": disk_pools.pool_name(blueprint.name, pool),
        "type": pool.type,
        "zone": disk_pools.zone(pool, usual),
        "size_gb": _bought(pool.size_gb),
        "throughput_mbps": _bought(pool.throughput_mbps),
        "iops": _bought(pool.iops),
        "capacity": pool.capacity if pool.create else None,
        "performance": pool.performance if pool.create else None,
        "used_by": [*_users(pool, blueprint)],
    }


def _bought(value: int | UnsetType) -> int | None:
    return None if value is UNSET else value


def _users(pool: DiskPool, blueprint: GoogleBlueprint) -> Iterator[dict[str, Any]]:
    """Whose disks are made in a pool: boot disks of nodes, volumes, and claims of storage classes."""
    groups = groups_of(blueprint)
    for group in groups:
        nodes = _nodes(blueprint, group)
        if nodes and nodes.boot_disk.pool == pool.name:
            most = group.machines.most
            yield _user("boot_disk", group.machines.name, most, nodes.boot_disk.size_gb)
    on_each = sum(each.machines.most for each in groups) if isinstance(blueprint, VmBlueprint) else None
    for volume in volumes.volumes(blueprint.storage):
        if volume.pool == pool.name:
            yield _user("volume", volume.name, on_each, volumes.size_gib(volume))
    if isinstance(blueprint.storage, KubernetesStorage):
        for disks in blueprint.storage.disk_classes:
            if disks.pool == pool.name:
                yield _user("disk_class", disks.name, None, None)


def _nodes(blueprint: Blueprint, group: Group) -> MachineGroup | None:
    """The machines of a group, as the blueprint has them; None of those that choose no boot disk."""
    found: Any = blueprint
    for key in group.place:
        found = found[key] if isinstance(key, int) else getattr(found, key)
    return found if isinstance(found, MachineGroup) else None


def _user(kind: str, name: str, disks: int | None, size_gb: int | None) -> dict[str, Any]:
    return {"kind": kind, "name": name, "disks": disks, "size_gb": size_gb}


#: The titles of the cells.
HEADER = ("POOL", "TYPE", "ZONE", "GIB", "MIB/S", "IOPS", "COUNTED", "USED BY")

#: Those under which numbers stand.
NUMBERS = frozenset(("GIB", "MIB/S", "IOPS"))

_CALLED = {"boot_disk": "boot disks of", "volume": "volume", "disk_class": "class"}


def cells(data: dict[str, Any]) -> Iterator[str]:
    """One line of a table about it."""
    yield from (data["name"], data["type"], data["zone"])
    for key in ("size_gb", "throughput_mbps", "iops"):
        value = data[key]
        yield ("-" if data["created"] else "?") if value is None else f"{value:,}"
    yield _counted(data) if data["created"] else "exists"
    yield ", ".join(map(_used, data["used_by"])) or "-"


def _counted(data: dict[str, Any]) -> str:
    """Which provisioning was bought: of capacity, and of performance."""
    both = tuple(dict.fromkeys((data["capacity"], data["performance"])))
    return " / ".join(both)


def _used(user: dict[str, Any]) -> str:
    called = f"{_CALLED[user['kind']]} {user['name']}"
    if user["size_gb"] is None:
        return called
    each = f"{user['size_gb']:,} GiB"
    return f"{called} (each {each})" if user["disks"] is None else f"{called} ({user['disks']} of {each})"
