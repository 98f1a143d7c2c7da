from collections.abc import Iterator

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived import volume_mounts
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._jobs import Job, kind, namespace_of
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule(
    "GKE206", severity=Severity.ERROR, source="Google Cloud: workload identity federation for GKE", firm=True
)
def bucket_without_account(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job mounts a bucket as a service account that is not listed.

    Cloud Storage checks which account mounts a bucket. Accounts under `workload_identity` get rights to the
    buckets that jobs mount; other accounts get none.

    List the account, or remove `service_account` to use one that may read the buckets.
    """
    namespace = namespace_of(job, context)
    if not given(job.service_account) or not namespace or job.service_account == "default":
        return
    accounts = [
        names
        for _, names in known(context.blueprint.workload_identity, lambda each: (each.namespace, each.name))
    ]
    if len(accounts) < len(context.blueprint.workload_identity):
        return  # one of them cannot be read
    bucket = next(volume_mounts.mounted(job.mounts, context.blueprint, "bucket"), None)
    if bucket and (namespace, job.service_account) not in accounts:
        yield Finding(
            f"{kind(job)} {job.name} mounts bucket {bucket[1].name} as {job.service_account}, "
            "which is not listed",
            context.at(job, "service_account"),
            also=(context.at(bucket[0], "volume", text="this volume is a bucket"),),
            help=f"add {{name: {job.service_account}, namespace: {namespace}}} to workload_identity, or "
            "remove service_account",
        )
