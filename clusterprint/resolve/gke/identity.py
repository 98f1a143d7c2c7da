"""What service accounts of the cluster may do in Google Cloud."""

from msgspec import UNSET

from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.plan.gke.cluster import BucketGrantPlan, IdentityPlan


def resolve_identities(blueprint: KubernetesBlueprint) -> tuple[IdentityPlan, ...]:
    """The accounts with their rights, in the order of the blueprint."""
    return tuple(_identity(each) for each in blueprint.workload_identity)


def _identity(identity: WorkloadIdentity) -> IdentityPlan:
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
                role=(
                    "roles/storage.objectUser"
                    if each.access == "read_write"
                    else "roles/storage.objectViewer"
                ),
            )
            for each in identity.buckets
        ),
        secrets=tuple(dict.fromkeys(identity.secrets)),
    )
