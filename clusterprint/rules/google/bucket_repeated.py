from collections.abc import Iterator

from clusterprint.blueprint.storage import Bucket, Storage
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP061", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def bucket_repeated(storage: Storage, context: Context) -> Iterator[Finding]:
    """A bucket is listed twice.

    A bucket has one mount, one access and one owner; two entries would contradict each other, and two
    that create it would fail on the second.

    Merge the two entries into one.
    """
    first: dict[str, Bucket] = {}
    for bucket, name in known(storage.buckets, lambda bucket: bucket.name):
        before = first.setdefault(name, bucket)
        if before is not bucket:
            yield Finding(
                f"bucket {name} is listed twice",
                context.at(bucket, "name"),
                also=(context.at(before, "name", text="first listed here"),),
                help="merge the two entries into one",
            )
