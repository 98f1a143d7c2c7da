"""Buckets of the cluster's own."""

from typing import Any, get_args

from clusterprint.blueprint.volume_buckets import StorageClass
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.mount_options import mount_options
from clusterprint.importing.toolkit.volume import add_volume, new_volume


def bucket(module: Module) -> None:
    """A bucket of the cluster's own."""
    found = new_volume(module, "bucket", "/mnt")
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
    add_volume(module, found)


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
    cache = module.part("anywhere_cache")
    if cache and found.get("storage_class") == "rapid":
        module.settle("anywhere_cache")
        module.lost("anywhere_cache", "a bucket of class rapid is as fast, and has no cache")
    elif cache:
        zones, ttl = cache.get("zones"), cache.get("ttl", "86400s")
        if zones:
            found["anywhere_cache"] = {"zones": zones, "ttl": ttl}
        cache.same("admission_policy", "admit-on-first-miss")
    module.follows(
        "caches are waited for as long as the Terraform provider does", "anywhere_cache_create_timeout"
    )
    module.follows("caches are made by Terraform, not by the driver of GKE", "create_gcsfuse_iam_role")
