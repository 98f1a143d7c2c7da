from collections.abc import Iterator

from clusterprint.blueprint.storage import Bucket
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE097", severity=Severity.ERROR, source="The blueprint language: storage.buckets")
def bucket_without_use(bucket: Bucket, context: Context) -> Iterator[Finding]:
    """A bucket is listed that this cluster does nothing with.

    In a Kubernetes cluster not nodes use buckets, but pods do, as volumes and with rights of their own. Of
    the buckets in `storage`, the ones with `create: true` are created; others are left alone.

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
            f"access of bucket {bucket.name} changes nothing: nodes have no right to it, workloads do",
            context.at(bucket, "access"),
            help="remove access, and write it where workload_identity names the bucket",
        )
    if context.wrote(bucket, "mount"):
        yield Finding(
            f"bucket {bucket.name} cannot be mounted on nodes: pods mount it as a volume",
            context.at(bucket, "mount"),
            help="list it under storage.volumes, which workloads mount by name",
        )
