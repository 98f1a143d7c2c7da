"""File systems, and what makes storage usable."""

from clusterprint.importing.toolkit import buckets, netapp
from clusterprint.importing.toolkit.expressions import module_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.mount_options import mount_options
from clusterprint.importing.toolkit.volume import add_volume, new_volume, own_zone, volume_name

_TIERS = {
    "BASIC_HDD": "basic_hdd",
    "BASIC_SSD": "basic_ssd",
    "HIGH_SCALE_SSD": "zonal",
    "ZONAL": "zonal",
    "REGIONAL": "regional",
    "ENTERPRISE": "regional",
}
_CONNECT = {"DIRECT_PEERING": "direct", "PRIVATE_SERVICE_ACCESS": "private_services"}
_PROFILES = {
    "gcsfusecsi-training": "training",
    "gcsfusecsi-checkpointing": "checkpoints",
    "gcsfusecsi-serving": "serving",
}
# The options of the client of Parallelstore by the module's default, which nodes have as well.
_DFUSE = "disable-wb-cache,thread-count=16,eq-count=8"
_CHECKPOINTS = ("parallel-downloads", "rename-dir-limit")


def filestore(module: Module) -> None:
    """A Filestore instance."""
    found = new_volume(module, "filestore", "/shared")
    tier = str(module.get("filestore_tier", "BASIC_HDD"))
    found |= {"tier": _TIERS.get(tier, tier.lower()), "size_gb": module.get("size_gb", 1024)}
    protocol = module.get("protocol")
    if protocol:
        found["protocol"] = {"NFS_V3": "nfs_v3", "NFS_V4_1": "nfs_v4_1"}.get(str(protocol), str(protocol))
    if connect := module.get("connect_mode"):
        found["connect"] = _CONNECT.get(str(connect), str(connect))
    own_zone(module, found)
    protection = module.part("deletion_protection")
    if (enabled := protection.get("enabled")) is not None:
        found["deletion_protection"] = enabled
    add_volume(module, found)


def lustre(module: Module) -> None:
    """A Managed Lustre instance."""
    found = new_volume(module, "lustre", "/shared")
    found["size_gb"] = module.get("size_gib", 36000)
    found["throughput_mbps_per_tib"] = module.get("per_unit_storage_throughput", 500)
    own_zone(module, found)
    source = module.get("import_gcs_bucket_uri")
    if source:
        found["import_from"] = _import_from(str(source))
    add_volume(module, found)


def _import_from(address: str) -> dict[str, str]:
    """The bucket and the folder of `gs://BUCKET/FOLDER`."""
    bucket, _, folder = address.removeprefix("gs://").partition("/")
    folder = folder.strip("/")
    return {"bucket": bucket, "path": f"/{folder}/"} if folder else {"bucket": bucket}


def parallelstore(module: Module) -> None:
    """A Parallelstore instance."""
    found = new_volume(module, "parallelstore", "/parallelstore")
    found["size_gb"] = module.get("size_gb", 12000)
    own_zone(module, found)
    module.same("mount_options", _DFUSE)
    module.lost(
        "import_gcs_bucket_uri",
        "data are not imported",
        "gcloud beta parallelstore instances import-data does so, once the instance is there",
    )
    module.follows("nothing is imported from a bucket", "import_destination_path")
    add_volume(module, found)


def mounted(module: Module) -> None:
    """Storage that is there: a bucket of the blueprint again, with options, or somebody else's."""
    remote = module.refers("remote_mount")
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
        _again(module, owner, profile)
    elif kind == "gcsfuse" and isinstance(remote, str) and remote:
        found = new_volume(module, "bucket", "/mnt") | {
            "create": False,
            "bucket": str(module.get("remote_mount")),
        }
        if profile:
            module.follows("buckets are mounted as their profile says", "mount_options")
            found["profile"] = profile
        elif given := mount_options(module):
            found["mount_options"] = list(given)
        add_volume(module, found)
    else:
        module.gone(f"a file system of type {kind} that exists already is not mounted")


def _again(module: Module, owner: Module, profile: str) -> None:
    """A bucket of the file, with options: they become its profile."""
    module.follows("a bucket of the file has its own volume", "remote_mount", "local_mount", "fs_type")
    module.follows("buckets are mounted as their profile says", "mount_options")
    _profile(module, owner, profile)


def _profile(module: Module, owner: Module, profile: str) -> None:
    name = volume_name(owner)
    for each in module.deployment.work.data.get("storage", {}).get("volumes", []):
        if each["name"] == name and profile:
            each["profile"] = profile
            module.deployment.work.decide(f"what {module.id} says of mounting is profile {profile} of {name}")


def persistent_volume(module: Module) -> None:
    """The setting that lets pods use a file system: every volume of a cluster has it."""
    why = "every volume of a cluster can be mounted by pods"
    module.follows(why, "capacity_gib", "gcs_bucket_name", "cluster_id", "pv_name", "pvc_name", "namespace")
    owners = [*module.uses(*VOLUMES)]
    if not owners and not any(module.uses("file-system/pre-existing-network-storage")):
        module.gone("it names no storage of this file")
        return
    storage_class = str(module.get("gcsfuse_storage_class_name") or "")
    if storage_class in _PROFILES:
        for owner in owners:
            _profile(module, owner, _PROFILES[storage_class])
    else:
        module.same("gcsfuse_storage_class_name")


#: Modules that become volumes.
VOLUMES = {
    "file-system/filestore": filestore,
    "file-system/managed-lustre": lustre,
    "file-system/parallelstore": parallelstore,
    "file-system/cloud-storage-bucket": buckets.bucket,
    netapp.VOLUME: netapp.volume,
}
