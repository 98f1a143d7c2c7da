"""Permissions of the cluster's service accounts in Google Cloud."""

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.identity import BucketAccess, WorkloadIdentity
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import kms_keys, volume_mounts
from clusterprint.plan.gke.cluster import BucketGrantPlan, IdentityPlan, SecretPlan
from clusterprint.resolve.google import bucket_role


def resolve_identities(blueprint: KubernetesBlueprint) -> tuple[IdentityPlan, ...]:
    """The accounts with their rights, in the order of the blueprint, and those that use its volumes."""
    regions = {each.name: each.location for each in blueprint.secrets if each.location is not UNSET}
    return tuple(_identity(each, regions) for each in _with_volumes(blueprint))


def resolve_secrets(blueprint: KubernetesBlueprint) -> tuple[SecretPlan, ...]:
    """The secrets that are created."""
    return tuple(
        SecretPlan(
            name=each.name,
            location="" if each.location is UNSET else each.location,
            protected=each.deletion_protection,
            kms_key=kms_keys.of_all(blueprint),
        )
        for each in blueprint.secrets
        if each.create
    )


def _with_volumes(blueprint: KubernetesBlueprint) -> list[WorkloadIdentity]:
    """All accounts, each with the buckets that it was given, and then with those that it mounts."""
    found = {(each.namespace, each.name): each for each in blueprint.workload_identity}
    for (namespace, name), buckets in volume_mounts.bucket_users(blueprint).items():
        before = found.get((namespace, name), WorkloadIdentity(name=name, namespace=namespace))
        given = {each.name: each for each in before.buckets}
        for bucket, access in buckets.items():
            if bucket not in given or access == "read_write":
                given[bucket] = BucketAccess(name=bucket, access=access)
        found[namespace, name] = msgspec.structs.replace(before, buckets=tuple(given.values()))
    return list(found.values())


def _identity(identity: WorkloadIdentity, regions: dict[str, str]) -> IdentityPlan:
    secrets = tuple(dict.fromkeys(identity.secrets))
    regional: dict[str, tuple[str, ...]] = {}
    for name in secrets:
        if name in regions:
            regional[regions[name]] = (*regional.get(regions[name], ()), name)
    return IdentityPlan(
        # Neither name has an underscore in it, so no two accounts have the same key.
        key=f"{identity.namespace}_{identity.name}",
        namespace=identity.namespace,
        name=identity.name,
        service_account="" if identity.service_account is UNSET else identity.service_account,
        roles=tuple(dict.fromkeys(identity.roles)),
        buckets=tuple(
            BucketGrantPlan(
                bucket=each.name,
                role=bucket_role(read_only=each.access == "read_only"),
            )
            for each in identity.buckets
        ),
        secrets=tuple(name for name in secrets if name not in regions),
        regional_secrets=regional,
    )
