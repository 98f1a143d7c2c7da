from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import volume_mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE091",
    severity=Severity.WARNING,
    source="Google Cloud: authenticate to Google Cloud APIs from GKE workloads",
)
def workload_identity_without_rights(
    identity: WorkloadIdentity, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A service account of the cluster is listed, but gets no rights.

    Without roles, buckets or secrets, and without a workload that mounts a bucket as this account, nothing is
    granted, so the entry does nothing.

    Add what the workload needs, or remove the entry.
    """
    if identity.roles or identity.buckets or identity.secrets:
        return
    if (identity.namespace, identity.name) not in volume_mounts.bucket_users(context.blueprint):
        yield Finding(
            f"service account {identity.name} gets no rights",
            context.at(identity, "name"),
            help="add roles, buckets or secrets, or remove the entry",
        )
