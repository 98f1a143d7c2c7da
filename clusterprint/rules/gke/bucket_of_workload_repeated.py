from collections.abc import Iterator

from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE099", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def bucket_of_workload_repeated(identity: WorkloadIdentity, context: Context) -> Iterator[Finding]:
    """A bucket is listed twice for one workload.

    A workload may write to a bucket, or only read it; two entries would contradict each other.

    Merge the two entries into one.
    """
    yield from repeated(
        identity.buckets,
        context,
        lambda bucket: f"bucket {bucket.name} is listed twice for {identity.name}",
        first="first listed here",
        help="merge the two entries into one",
    )
