from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules import _buckets
from clusterprint.rules._held import held
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP060", severity=Severity.ERROR, source=_buckets.SOURCE)
def bucket_name_not_allowed(part: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A bucket has a name that Cloud Storage does not allow.

    Names of buckets have rules beyond their letters: their length, no IP addresses, dots only between
    letters or digits. Only Google's own buckets have `google` in their names or `goog` before them; they
    can be used, but not created.

    Choose another name.
    """
    # Whether it is created decides what it may be called; if that is unknown, so is this.
    bucket = held(part, context.blueprint)
    if bucket is None:
        return
    problem = _buckets.owned_problem(bucket.longest) if bucket.create else _buckets.problem(bucket.name)
    if problem:
        yield Finding(f"bucket {bucket.name} {problem.message}", bucket.place(context), help=problem.help)
