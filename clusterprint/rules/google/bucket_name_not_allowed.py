from collections.abc import Iterator

from clusterprint.blueprint.storage import Bucket
from clusterprint.diagnostic import Severity
from clusterprint.rules import _buckets
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP060", severity=Severity.ERROR, source=_buckets.SOURCE)
def bucket_name_not_allowed(bucket: Bucket, context: Context) -> Iterator[Finding]:
    """A bucket has a name that Cloud Storage does not allow.

    Names of buckets have rules beyond their letters: their length, no IP addresses, dots only between
    letters or digits. Only Google's own buckets have `google` in their names or `goog` before them; they
    can be used, but not created.

    Choose another name.
    """
    # Whether it is created decides what it may be called; if that is unknown, so is this.
    problem = _buckets.owned_problem(bucket.name) if bucket.create else _buckets.problem(bucket.name)
    if problem:
        yield Finding(
            f"bucket {bucket.name} {problem.message}", context.at(bucket, "name"), help=problem.help
        )
