from clusterprint.blueprint.backend import GcsBackend
from clusterprint.rules import _buckets
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP201", severity=Severity.ERROR, source=_buckets.SOURCE)
def state_bucket_name_not_allowed(backend: GcsBackend, context: Context) -> Iterator[Finding]:
    """The state bucket has a name that Cloud Storage does not allow.

    Bucket names must not be too long, look like an IP address, or look like one of Google's own. No bucket
    can have this name, so Terraform could not store its state.

    Write the name of an existing bucket.
    """
    problem = _buckets.owned_problem(backend.bucket)
    if problem:
        yield Finding(
            f"the state bucket {backend.bucket} {problem.message}",
            context.at(backend, "bucket"),
            help=problem.help,
        )
