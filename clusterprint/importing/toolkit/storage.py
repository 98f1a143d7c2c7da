"""Buckets and file systems."""

from typing import Any, get_args

from clusterprint import catalog
from clusterprint.blueprint.volume_buckets import StorageClass
from clusterprint.importing.toolkit.expressions import module_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.mount_options import mount_options
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
_NAMES = (
    *("network_id", "network_self_link", "remote_mount", "name", "name_prefix"),
    *("instance_id", "filestore_share_name", "private_vpc_connection_peering", "description"),
    *("use_deployment_name_in_bucket_name", "reserved_ip_range"),
    *("pool_name", "volume_name", "netapp_storage_pool_id"),
)
_OURS = "names and addresses of buckets and file systems follow from the cluster"
_CONNECT = {"DIRECT_PEERING": "direct", "PRIVATE_SERVICE_ACCESS": "private_services"}
_PROFILES = {
    "gcsfusecsi-training": "training",
    "gcsfusecsi-checkpointing": "checkpoints",
    "gcsfusecsi-serving": "serving",
}
_NETAPP_POOL, _NETAPP_VOLUME = "file-system/netapp-storage-pool", "file-system/netapp-volume"
_NETAPP_PROTOCOLS = {("NFSV3",): "nfs_v3", ("NFSV4",): "nfs_v4_1"}
# The options of the client of Parallelstore by the module's default, which nodes have as well.
_DFUSE = "disable-wb-cache,thread-count=16,eq-count=8"
_CHECKPOINTS = ("parallel-downloads", "rename-dir-limit")


def volume_name(module: Module) -> str:
    """What the volume of a module is called."""
    return label(module.id, _LONGEST)


def _volume(module: Module, kind: str, mount: str) -> dict[str, Any]:
    module.follows(_OURS, *_NAMES)
    where = module.get("local_mount", mount)
    found = {"name": volume_name(module), "kind": kind}
    if module.deployment.work.data["kind"] == "vm":
        return {**found, "mount": where}
    module.deployment.work.decide(
        f"volume {found['name']} was mounted at {where}: write it in `mounts` of a workload"
    )
    return found


def _zone(module: Module, found: dict[str, Any]) -> None:
    """The zone of a file system, where it has one of its own."""
    zone = module.get("zone")
    if zone and zone != module.deployment.variable("zone"):
        found["zone"] = zone


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
    if connect := module.get("connect_mode"):
        found["connect"] = _CONNECT.get(str(connect), str(connect))
    _zone(module, found)
    protection = module.part("deletion_protection")
    if (enabled := protection.get("enabled")) is not None:
        found["deletion_protection"] = enabled
    _add(module, found)


def lustre(module: Module) -> None:
    """A Managed Lustre instance."""
    found = _volume(module, "lustre", "/shared")
    found["size_gb"] = module.get("size_gib", 36000)
    found["throughput_mbps_per_tib"] = module.get("per_unit_storage_throughput", 500)
    _zone(module, found)
    source = module.get("import_gcs_bucket_uri")
    if source:
        found["import_from"] = _import_from(str(source))
    _add(module, found)


def _import_from(address: str) -> dict[str, str]:
    """The bucket and the folder of `gs://BUCKET/FOLDER`."""
    bucket, _, folder = address.removeprefix("gs://").partition("/")
    folder = folder.strip("/")
    return {"bucket": bucket, "path": f"/{folder}/"} if folder else {"bucket": bucket}


def parallelstore(module: Module) -> None:
    """A Parallelstore instance."""
    found = _volume(module, "parallelstore", "/parallelstore")
    found["size_gb"] = module.get("size_gb", 12000)
    _zone(module, found)
    module.same("mount_options", _DFUSE)
    module.lost(
        "import_gcs_bucket_uri",
        "data are not imported",
        "gcloud beta parallelstore instances import-data does so, once the instance is there",
    )
    module.follows("nothing is imported from a bucket", "import_destination_path")
    _add(module, found)


def netapp(module: Module) -> None:
    """A volume of NetApp, which is all of a pool here."""
    pool = next(module.uses(_NETAPP_POOL), None)
    if pool is None:
        module.gone("its pool is not in these files", "a volume that exists is named by its export")
        return
    found = _volume(module, "netapp", "/shared")
    level = str(pool.get("service_level", "PREMIUM")).lower()
    if level in catalog.tiers_of("netapp"):
        found["tier"] = level
    else:
        pool.lost("service_level", f"no such level is built: {level}")
    if level == "flex":
        _flex(pool, found)
    found["size_gb"] = _netapp_size(module, pool)
    protocols = tuple(module.texts("protocols"))
    if protocols in _NETAPP_PROTOCOLS:
        found["protocol"] = _NETAPP_PROTOCOLS[protocols]
    elif protocols:
        module.lost("protocols", "a volume speaks one of NFSV3 and NFSV4")
    module.follows("everybody may write to its top folder", "unix_permissions")
    _add(module, found)


def _flex(pool: Module, found: dict[str, Any]) -> None:
    """What only pools of level flex have: a zone, and throughput that is bought."""
    _zone(pool, found)
    if throughput := pool.get("total_throughput_mibps"):
        found["throughput_mbps"] = throughput
    for key in ("replica_zone", "scale_type", "total_iops", "hot_tier_size_gib"):
        if pool.get(key) is not None:
            pool.lost(key, "pools of level flex are zonal, and have the IOPS of their throughput")


def _netapp_size(module: Module, pool: Module) -> Any:
    """All of the pool; where volumes share one, each gets its own, which cannot be smaller than a pool."""
    whole, own = pool.get("capacity_gib", 2048), module.get("capacity_gib", 1024)
    decide = module.deployment.work.decide
    sharing = [each for each in module.deployment.of(_NETAPP_VOLUME) if pool in each.uses(_NETAPP_POOL)]
    if len(sharing) == 1:
        if own != whole:
            decide(f"volume {volume_name(module)} takes all {whole} GiB of its pool, not {own}")
        return whole
    decide(f"volume {volume_name(module)} has a pool of its own, as a pool holds one volume: {own} GiB")
    level = catalog.netapp_tier(str(pool.get("service_level", "PREMIUM")).lower())
    return max(own, level.smallest) if level and isinstance(own, int) else own


def netapp_pool(module: Module) -> None:
    """A pool of NetApp, which comes with its volume."""
    if not any(module in each.uses(_NETAPP_POOL) for each in module.deployment.of(_NETAPP_VOLUME)):
        module.gone("no volume uses it: a pool comes with its volume")
        return
    module.follows(_OURS, *_NAMES)
    module.off("ldap_enabled", "allow_auto_tiering")


def bucket(module: Module) -> None:
    """A bucket of the cluster's own."""
    found = _volume(module, "bucket", "/mnt")
    if (flat := module.get("enable_hierarchical_namespace")) is not None:
        found["hierarchical_namespace"] = flat
    if module.on("random_suffix"):
        found["name_suffix"] = "random"
    if module.on("force_destroy"):
        message = f"force_destroy of {module.id}: the bucket is kept when the cluster goes"
        help_text = "deletion_protection: false, and its name in storage.may_lose, let it go"
        module.deployment.work.decide(f"{message}; {help_text}")
    if autoclass := module.part("autoclass"):
        found["autoclass"] = autoclass.get("enabled", default=True)
    _storage_class(module, found)
    _cache(module, found)
    _soft_delete(module, found)
    module.into(found, "enable_versioning", "versioning")
    module.same("uniform_bucket_level_access", True)
    module.same("public_access_prevention", "enforced")
    module.follows("nodes and pods that use a bucket may read and write it", "object_users")
    if options := mount_options(module):
        found["mount_options"] = list(options)
    _add(module, found)


def _storage_class(module: Module, found: dict[str, Any]) -> None:
    """The class of a bucket, and for class RAPID its zone."""
    given = str(module.get("storage_class") or "").lower()
    # The old name of what is standard in a region, and the module's default.
    storage_class = "standard" if given == "regional" else given
    if storage_class in get_args(get_args(StorageClass)[0]):
        found["storage_class"] = storage_class
    elif storage_class:
        module.lost("storage_class", f"no such class of storage: {storage_class}")
    if not module.says("placement_zones"):
        return
    zones = module.texts("placement_zones")
    if storage_class != "rapid":
        module.same("placement_zones", [module.deployment.variable("region")])
    elif len(zones) == 1:
        found["zone"] = zones[0]
    else:
        module.lost("placement_zones", "a bucket of class rapid is in one zone")


def _soft_delete(module: Module, found: dict[str, Any]) -> None:
    """How long a bucket keeps what is deleted; those of class rapid keep nothing."""
    name = "soft_delete_retention_duration"
    if module.get(name) != 0:
        module.into(found, name, "soft_delete", lambda seconds: f"{seconds}s")
    elif found.get("storage_class") == "rapid":
        module.follows("buckets of class rapid keep nothing that was deleted", name)
    else:
        module.lost(name, "what is deleted is kept for 7 days at least")


def _cache(module: Module, found: dict[str, Any]) -> None:
    """The caches of a bucket: in no zone there is none."""
    if cache := module.part("anywhere_cache"):
        zones, ttl = cache.get("zones"), cache.get("ttl", "86400s")
        if zones:
            found["anywhere_cache"] = {"zones": zones, "ttl": ttl}
        cache.same("admission_policy", "admit-on-first-miss")
    module.follows(
        "caches are waited for as long as the Terraform provider does", "anywhere_cache_create_timeout"
    )
    module.follows("caches are made by Terraform, not by the driver of GKE", "create_gcsfuse_iam_role")


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
        found = _volume(module, "bucket", "/mnt") | {
            "create": False,
            "bucket": str(module.get("remote_mount")),
        }
        if profile:
            module.follows("buckets are mounted as their profile says", "mount_options")
            found["profile"] = profile
        elif given := mount_options(module):
            found["mount_options"] = list(given)
        _add(module, found)
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
    """What makes a file system usable by pods: every volume of a cluster is."""
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
    "file-system/cloud-storage-bucket": bucket,
    _NETAPP_VOLUME: netapp,
}
