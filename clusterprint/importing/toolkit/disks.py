"""Storage classes of disks, and the pools of Hyperdisk that disks are made in."""

import re
from typing import Any

from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import label

_LONGEST = 20
_POOL = re.compile(r"(?:.*/)?projects/[^/]+/zones/(?P<zone>[^/]+)/storagePools/(?P<name>[^/]+)")
# What the templates of its classes say, by type.
_SETTINGS: dict[str, dict[str, Any]] = {
    "hyperdisk-balanced": {"iops": 7000, "throughput_mbps": 250},
    "hyperdisk-throughput": {"throughput_mbps": 250},
    "hyperdisk-extreme": {"iops": 50000},
}
_BINDINGS = {"waitforfirstconsumer": "first_use", "immediate": "immediate"}


def pool_of(module: Module, disk_type: str) -> str | None:
    """The pool that a module makes disks in, which becomes one of the blueprint that is there already."""
    path = module.get("disk_storage_pool")
    if not path:
        return None
    found = _POOL.fullmatch(str(path))
    if found is None:
        module.lost("disk_storage_pool", "it is not the path of a storage pool in a zone")
        return None
    work = module.deployment.work
    name = label(found["name"], _LONGEST)
    pool = {"name": name, "create": False, "pool": found["name"], "type": disk_type, "zone": found["zone"]}
    if all(each["name"] != name for each in work.data.get("storage", {}).get("disk_pools", [])):
        work.append(module.line("disk_storage_pool"), ("storage", "disk_pools"), pool)
    return name


def storage_class(module: Module) -> None:
    """A class by which disks are claimed; the claims themselves belong to who uses them."""
    kind = str(module.get("storage_type", "")).lower()
    if kind not in _SETTINGS:
        module.gone(f"no class of {kind or 'storage'} is created: volumes of a blueprint have their own")
        return
    found: dict[str, Any] = {"name": f"{kind}-sc", "type": kind, **_SETTINGS[kind]}
    if policy := module.get("sc_reclaim_policy"):
        found["reclaim_policy"] = str(policy).lower()
    if binding := module.get("sc_volume_binding_mode"):
        found["binding"] = _BINDINGS.get(str(binding).lower(), str(binding))
    module.into(found, "sc_topology_zones", "zones")
    if pool := pool_of(module, kind):
        found["pool"] = pool
    why = "claims are not part of a blueprint: a manifest of a workload has them"
    module.lost("capacity_gb", f"{why}, with storageClassName: {found['name']}")
    module.follows(why, "pvc_count", "access_mode", "pv_mount_path", "namespace")
    module.follows("names follow from the cluster's", "cluster_id")
    classes = module.deployment.work.data.get("storage", {}).get("disk_classes", [])
    if found not in classes:
        module.deployment.work.append(module.at, ("storage", "disk_classes"), found)
