from clusterprint.blueprint.storage import Storage
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP061", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def bucket_repeated(storage: Storage, context: Context) -> Iterator[Finding]:
    """A bucket is listed twice.

    A bucket has one mount, one access and one owner; two entries would contradict each other, and two
    that create it would fail on the second.

    Merge the two entries into one.
    """
    yield from repeated(
        storage.buckets,
        context,
        lambda bucket: f"bucket {bucket.name} is listed twice",
        first="first listed here",
        help="merge the two entries into one",
    )
