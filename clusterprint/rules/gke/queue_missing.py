from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.rules.gke._jobs import Job, namespace_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, listed, rule


@rule("GKE110", severity=Severity.ERROR, source="Kueue: local queues", firm=True)
def queue_missing(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job waits in a queue that does not exist.

    A job is admitted by a local queue of Kueue in its own namespace. Without it, the job waits forever.

    Add the queue to `kueue.local_queues`, with the namespace of the jobs.
    """
    workloads = context.blueprint.workloads
    if not given(job.queue):
        return
    if not given(workloads.kueue):
        yield Finding(
            f"{job.noun} {job.name} waits in queue {job.queue}, but Kueue is not installed",
            context.at(job, "queue"),
            help="add `kueue: {}` to the workloads, which brings a queue called default",
        )
        return
    queues = list(known(workloads.kueue.local_queues, lambda each: (each.name, each.namespace)))
    if len(queues) < len(workloads.kueue.local_queues):
        return  # one of them cannot be read
    namespace = namespace_of(job, context)
    names = [name for _, (name, home) in queues if home == namespace]
    if job.queue not in names and job.queue in [name for _, (name, _) in queues]:
        others = f"its queues are {listed(names, 'and')}" if names else "it has no queues"
        yield Finding(
            f"{job.noun} {job.name} waits in queue {job.queue}, but namespace {namespace} has no such queue",
            context.at(job, "queue"),
            help=f"{others}; add one to kueue.local_queues",
        )
