"""Buckets and file systems."""

from typing import Any

from clusterprint.importing.toolkit.expressions import module_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import label

_LONGEST = 20
_TIERS = {
    "BASIC_HDD": "basic_hdd",
    "BASIC_SSD": "basic_ssd",
    "HIGH_SCALE_SSD": "zonal",
    "ZONAL": "zonal",
    "REGIONAL": "regional",
    "ENTERPRISE": "regional",
}
_FOLLOWS = (
    *(
        "project_id",
        "region",
        "zone",
        "deployment_name",
        "labels",
        "network_id",
        "network_self_link",
        "remote_mount",
    ),
    *(
        "name",
        "name_prefix",
        "random_suffix",
        "instance_id",
        "filestore_share_name",
        "private_vpc_connection_peering",
    ),
    *("import_gcs_bucket_uri", "use_deployment_name_in_bucket_name", "reserved_ip_range", "connect_mode"),
)
_CHECKPOINTS = ("parallel-downloads", "rename-dir-limit")


def _volume(module: Module, kind: str, mount: str) -> dict[str, Any]:
    module.follows(*_FOLLOWS)
    module.deployment.work.decide("names and addresses of buckets and file systems follow from the cluster")
    where = module.get("local_mount", mount)
    found = {"name": label(module.id, _LONGEST), "kind": kind}
    if module.deployment.work.data["kind"] == "vm":
        return {**found, "mount": where}
    module.deployment.work.decide(
        f"volume {found['name']} was mounted at {where}: `mounts` of a workload says so"
    )
    return found


def _add(module: Module, volume: dict[str, Any]) -> None:
    module.deployment.work.append(module.at, ("storage", "volumes"), volume)


def filestore(module: Module) -> None:
    """A Filestore instance."""
    found = _volume(module, "filestore", "/shared")
    tier = str(module.get("filestore_tier", "BASIC_HDD"))
    found |= {"tier": _TIERS.get(tier, tier.lower()), "size_gb": module.get("size_gb", 1024)}
    protocol = module.get("protocol")
    if protocol:
        found["protocol"] = {"NFS_V3": "nfs_v3", "NFS_V4_1": "nfs_v4_1"}.get(str(protocol), str(protocol))
    _add(module, found)


def lustre(module: Module) -> None:
    """A Managed Lustre instance."""
    found = _volume(module, "lustre", "/shared")
    found["size_gb"] = module.get("size_gib", 36000)
    found["throughput_mbps_per_tib"] = module.get("per_unit_storage_throughput", 500)
    _add(module, found)


def parallelstore(module: Module) -> None:
    """A Parallelstore instance."""
    found = _volume(module, "parallelstore", "/parallelstore")
    found["size_gb"] = module.get("size_gb", 12000)
    _add(module, found)


def bucket(module: Module) -> None:
    """A bucket of the cluster's own."""
    found = _volume(module, "bucket", "/mnt")
    if module.get("enable_hierarchical_namespace"):
        found["hierarchical_namespace"] = True
    if module.get("force_destroy"):
        message = f"force_destroy of {module.id}: the bucket is kept when the cluster goes"
        help_text = "deletion_protection: false, and its name in storage.may_lose, let it go"
        module.deployment.work.decide(f"{message}; {help_text}")
    module.into(found, "autoclass", "autoclass", bool)
    storage_class = module.get("storage_class")
    if storage_class and str(storage_class).lower() in ("standard", "nearline", "coldline", "archive"):
        found["storage_class"] = str(storage_class).lower()
    elif storage_class:
        module.lose("storage_class", "no such class of storage")
        module.lose("placement_zones", "buckets of one zone are not made")
    module.into(found, "soft_delete_retention_seconds", "soft_delete", lambda seconds: f"{seconds}s")
    module.into(found, "enable_versioning", "versioning")
    users = module.raw("object_users")
    if users:
        module.deployment.work.decide(
            "nodes and pods that use a bucket may read and write it; object_users say no more"
        )
    _add(module, found)


def mounted(module: Module) -> None:
    """Storage that is there: a bucket of the blueprint again, with options, or somebody else's."""
    module.follows("local_mount", "project_id", "client_install_runner", "mount_runner")
    remote = module.raw("remote_mount")
    kind = module.get("fs_type", "nfs")
    owner = module.deployment.named(module_of(remote))
    options = str(module.get("mount_options", ""))
    profile = (
        "checkpoints"
        if any(each in options for each in _CHECKPOINTS)
        else "training"
        if "cache" in options
        else ""
    )
    if owner is not None:
        _profile(module, owner, profile)
    elif kind == "gcsfuse" and isinstance(remote, str) and remote:
        found = _volume(module, "bucket", "/mnt") | {
            "create": False,
            "bucket": str(module.get("remote_mount")),
        }
        _add(module, found | ({"profile": profile} if profile else {}))
    else:
        module.gone(f"a file system of type {kind} that is there already is not mounted")


def _profile(module: Module, owner: Module, profile: str) -> None:
    name = label(owner.id, _LONGEST)
    for each in module.deployment.work.data.get("storage", {}).get("volumes", []):
        if each["name"] == name and profile:
            each["profile"] = profile
            module.deployment.work.decide(f"mount options of {module.id} are those of profile {profile}")


def persistent_volume(module: Module) -> None:
    """What makes a file system usable by pods: every volume of a cluster is."""
    module.follows(
        "capacity_gib", "gcs_bucket_name", "cluster_id", "labels", "pv_name", "pvc_name", "namespace"
    )
    module.raw("gcs_bucket_name")
    if not any(True for _ in module.uses(*VOLUMES, "file-system/pre-existing-network-storage")):
        module.gone("it names no storage of this file")


#: Modules that become volumes.
VOLUMES = {
    "file-system/filestore": filestore,
    "file-system/managed-lustre": lustre,
    "file-system/parallelstore": parallelstore,
    "file-system/cloud-storage-bucket": bucket,
}
