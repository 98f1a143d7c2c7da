from clusterprint.blueprint.ray.jobs import RayJob
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY080", severity=Severity.ERROR, source="KubeRay: RayJob", firm=True)
def mounts_of_shared_job(job: RayJob, context: Context) -> Iterator[Finding]:
    """A job on the shared Ray cluster mounts volumes.

    Its pods exist before the job, with the volumes of head and workers.

    Mount the volumes in the head and the worker groups, or give the job a cluster of its own.
    """
    if job.cluster == "shared" and job.mounts:
        yield Finding(
            f"job {job.name} cannot mount volumes: it runs in pods of the shared cluster",
            context.at_key(job, "mounts"),
            also=(context.at(job, "cluster", text="the shared cluster"),),
            help="move mounts to ray.head and ray.workers, or remove cluster: shared",
        )
