from clusterprint.blueprint.gke.pod_groups import RunOfPods
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.rules._repeated import repeated
from clusterprint.rules.gke._jobs import Job
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, given, rule


@rule("GKE242", severity=Severity.ERROR, firm=True)
def job_name_taken(workloads: Workloads, context: Context) -> Iterator[Finding]:
    jobs: tuple[Job, ...] = (
        *(workloads.mpi.jobs if given(workloads.mpi) else ()),
        *workloads.jobsets,
        *workloads.train_jobs,
    )
    for job, before in again(jobs, lambda each: each.name):
        if isinstance(job, RunOfPods):
            yield Finding(
                f"there are two jobs called {job.name}",
                context.at(job, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name; to run a job again, change its run",
            )
    yield from repeated(
        workloads.leader_worker_sets,
        context,
        lambda each: f"there are two LeaderWorkerSets called {each.name}",
        help="give one of them another name",
    )
