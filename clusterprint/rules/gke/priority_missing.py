from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.rules.gke._jobs import Job, kind
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE235", severity=Severity.ERROR, source="Kueue: workload priority classes", firm=True)
def priority_missing(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A job has a priority that does not exist, or is in no queue.

    Priorities decide which job of a queue is next. Kueue refuses a job with one that it does not know, and
    does not look at jobs that are in no queue.

    Add the priority to `kueue.priorities`, and give the job a queue.
    """
    if given(job.priority) and not given(job.queue):
        yield Finding(
            f"{kind(job)} {job.name} has a priority, but is in no queue",
            context.at(job, "priority"),
            help="add `queue`, or leave the priority out",
        )
