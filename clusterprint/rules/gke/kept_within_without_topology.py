from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.rules.gke._jobs import Job, pool_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE237", severity=Severity.ERROR, source="Kueue: topology-aware scheduling", firm=True)
def kept_within_without_topology(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job should be kept together, but Kueue does not place it by topology.

    It does that for jobs in its queues, on pools that are named in `kueue.topology_pools`.

    Give the job a queue, and name its pool there; or leave `keep_within` out.
    """
    kueue, pool = context.blueprint.workloads.kueue, pool_of(job, context)
    if not given(job.keep_within) or pool is None:
        return
    if not given(job.queue) or not given(kueue):
        why, help_text = "is in no queue", "give it a queue"
    elif pool.name not in kueue.topology_pools:
        why = f"runs on pool {pool.name}, which is not placed by topology"
        help_text = f"add {pool.name} to kueue.topology_pools"
    else:
        return
    yield Finding(
        f"{job.noun} {job.name} should be kept within one {job.keep_within}, but {why}",
        context.at(job, "keep_within"),
        help=f"{help_text}, or leave keep_within out",
    )
