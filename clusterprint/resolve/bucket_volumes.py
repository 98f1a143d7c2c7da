"""Decisions about volumes on Google Cloud that are buckets."""

from collections.abc import Iterable

from msgspec import UNSET

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import durations, kms_keys, volumes
from clusterprint.plan.google import BucketCachePlan, BucketPlan, BucketRulePlan
from clusterprint.resolve.google import bucket_role
from clusterprint.resolve.volumes import deletion_policy


def resolve_buckets(blueprint: GoogleBlueprint) -> Iterable[BucketPlan]:
    """The volumes that are buckets."""
    for each in volumes.volumes(blueprint.storage):
        if each.kind == "bucket":
            yield _bucket(each, blueprint)


def _bucket(volume: GoogleVolume, blueprint: GoogleBlueprint) -> BucketPlan:
    zone = blueprint.zone if volume.zone is UNSET else volume.zone
    storage_class = "standard" if volume.storage_class is UNSET else volume.storage_class
    return BucketPlan(
        name=volumes.bucket_name(blueprint.name, volume),
        create=volume.create,
        location=(blueprint.region if volume.location is UNSET else volume.location).upper(),
        storage_class=storage_class.upper(),
        # What may be lost is emptied first: that is what the user said, in two places.
        force_destroy=volume.create and not volume.deletion_protection,
        role=bucket_role(read_only=volume.access == "read_only"),
        protected=volumes.is_protected(volume),
        deletion_policy=deletion_policy(volume, blueprint.terraform),
        hierarchical_namespace=volumes.has_folders(volume),
        # Always said: Terraform leaves a policy alone that it is not told, whatever it was before. Buckets in
        # a zone have none.
        soft_delete_seconds=0 if volumes.is_rapid(volume) else durations.seconds(volume.soft_delete),
        versioning=volume.versioning,
        autoclass=volume.autoclass,
        rules=tuple(
            BucketRulePlan(
                age_days=rule.after_days,
                storage_class="" if rule.action == "delete" else rule.action.upper(),
                prefix="" if rule.prefix is UNSET else rule.prefix,
            )
            for rule in volume.lifecycle
        ),
        volume=volume.name,
        zone=(zone or "").upper() if volumes.is_rapid(volume) else "",
        suffix_length=volumes.SUFFIX_LENGTH if volumes.has_random_suffix(volume) else 0,
        caches=_caches(volume, blueprint),
        kms_key=kms_keys.of_all(blueprint),
    )


def _caches(volume: GoogleVolume, blueprint: GoogleBlueprint) -> tuple[BucketCachePlan, ...]:
    if volume.anywhere_cache is UNSET:
        return ()
    seconds = durations.seconds(volume.anywhere_cache.ttl)
    return tuple(
        BucketCachePlan(zone=zone, ttl_seconds=seconds)
        for zone in volumes.cache_zones(volume, blueprint.zone)
    )
