from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.rules.gke._jobs import Job, pool_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE109", severity=Severity.ERROR, source="Google Cloud: flex-start with queued provisioning in GKE")
def job_on_queued_nodes_without_queue(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job runs on nodes that are created only for queued requests, but is in no queue.

    Nodes of a queued pool are granted all at once, for a request that Kueue makes for a job in a queue. A job
    that just starts waits for nodes that never come.

    Give the job a `queue`, or remove `queued` from the pool's capacity.
    """
    pool = pool_of(job, context)
    if pool is not None and pool.capacity.queued and not given(job.queue):
        yield Finding(
            f"{job.noun} {job.name} is in no queue, "
            f"but nodes of pool {pool.name} are created only for queued jobs",
            context.at(job, "name"),
            also=(context.at(pool.capacity, "queued", text="queued provisioning"),),
            help="add `queue: default` to the job and `kueue: {}` to the workloads",
        )
