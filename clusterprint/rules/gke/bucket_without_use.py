from clusterprint.blueprint.storage import Bucket
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE097", severity=Severity.ERROR, source="The blueprint language: storage.buckets")
def bucket_without_use(bucket: Bucket, context: Context) -> Iterator[Finding]:
    """A bucket is listed that this cluster does not use.

    In a Kubernetes cluster pods use buckets, not nodes: as volumes, and with rights of their own. Buckets in
    `storage` with `create: true` are created; others are left alone.

    Name the bucket under `workload_identity` for the workloads that use it, and remove it here.
    """
    if context.blueprint.kind != "gke":
        return
    if not bucket.create:
        yield Finding(
            f"bucket {bucket.name} is not created here, so listing it does nothing",
            context.at(bucket, "name"),
            help="list it under storage.volumes, or give it to a workload with workload_identity and remove "
            "it here",
        )
        return
    if context.wrote(bucket, "access"):
        yield Finding(
            f"access of bucket {bucket.name} has no effect: workloads have rights to it, nodes do not",
            context.at(bucket, "access"),
            help="remove access, and write it where workload_identity names the bucket",
        )
    if context.wrote(bucket, "mount"):
        yield Finding(
            f"bucket {bucket.name} cannot be mounted on nodes: pods mount it as a volume",
            context.at(bucket, "mount"),
            help="list it under storage.volumes, which workloads mount by name",
        )
