from clusterprint.blueprint.ray.jobs import RayJob
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY041", severity=Severity.ERROR, source="KubeRay: clusterSelector and shutdownAfterJobFinishes")
def shared_cluster_shut_down(job: RayJob, context: Context) -> Iterator[Finding]:
    """A job on the shared Ray cluster is set to shut it down, or to be retried on another one.

    The shared cluster is not the job's: KubeRay leaves it alone, and creates no other one for a retry.

    Write `cluster: own`, or remove the setting.
    """
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
