from clusterprint.blueprint.gke.identity import BucketAccess
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE095", severity=Severity.ERROR, source="Terraform: sensitive data in state")
def state_bucket_for_workload(bucket: BucketAccess, context: Context) -> Iterator[Finding]:
    """The bucket that holds the Terraform state is given to a workload.

    Whoever can start a pod with this service account could read the state, which may hold secrets, and with
    write access change what Terraform does next.

    Keep data and state in two buckets.
    """
    state = context.blueprint.backend.gcs
    if bucket.name == state.bucket:
        yield Finding(
            f"bucket {bucket.name} holds the Terraform state, and is given to a workload",
            context.at(bucket, "name"),
            also=(context.at(state, "bucket", text="the state bucket"),),
            help="use another bucket for data",
        )
