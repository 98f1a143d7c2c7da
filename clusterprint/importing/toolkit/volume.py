"""Shared by modules that become volumes."""

from typing import Any

from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import label

_LONGEST = 20
_HOMES = ("filestore", "netapp")

#: What clusterprint names itself, and why.
OURS = "names and addresses of buckets and file systems follow from the cluster"
NAMES = (
    *("network_id", "network_self_link", "remote_mount", "name", "name_prefix"),
    *("instance_id", "filestore_share_name", "private_vpc_connection_peering", "description"),
    *("use_deployment_name_in_bucket_name", "reserved_ip_range"),
    *("pool_name", "volume_name", "netapp_storage_pool_id"),
)


def volume_name(module: Module) -> str:
    """The name of a module's volume."""
    return label(module.id, _LONGEST)


def new_volume(module: Module, kind: str, mount: str) -> dict[str, Any]:
    """A volume with its name, its kind and, on machines, where it is mounted: by default at `mount`."""
    module.follows(OURS, *NAMES)
    where = module.get("local_mount", mount)
    found = {"name": volume_name(module), "kind": kind}
    if where == "/home" and kind not in _HOMES and module.deployment.work.data["kind"] == "vm":
        where = f"/mnt/{found['name']}"
        message = f"{kind} cannot be the folder of all homes; it is mounted on {where}"
        module.lost("local_mount", message, "a filestore or netapp volume can be /home")
    if module.deployment.work.data["kind"] == "vm":
        return {**found, "mount": where}
    module.deployment.work.decide(
        f"volume {found['name']} was mounted at {where}: write it in `mounts` of a workload"
    )
    return found


def own_zone(module: Module, found: dict[str, Any]) -> None:
    """The zone of a file system, where it has one of its own."""
    zone = module.get("zone")
    if zone and zone != module.deployment.variable("zone"):
        found["zone"] = zone


def add_volume(module: Module, volume: dict[str, Any]) -> None:
    """Write a volume into the blueprint."""
    module.deployment.work.append(module.at, ("storage", "volumes"), volume)
