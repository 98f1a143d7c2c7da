from clusterprint.blueprint.ray.jobs import RayJob
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY041", severity=Severity.ERROR)
def shared_cluster_shut_down(job: RayJob, context: Context) -> Iterator[Finding]:
    if job.cluster != "shared":
        return
    for field, wrong in (
        ("shutdown_after_finish", given(job.shutdown_after_finish) and job.shutdown_after_finish),
        ("retries", job.retries > 0),
        ("workers", bool(job.workers)),
        ("keep_for", context.wrote(job, "keep_for")),
    ):
        if wrong:
            yield Finding(
                f"{field} has no effect on the shared Ray cluster",
                context.at_key(job, field),
                also=(context.at(job, "cluster", text="shared with others"),),
                help="write `cluster: own`, or remove it",
            )
