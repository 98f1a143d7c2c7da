from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE240", severity=Severity.ERROR, source="Kubernetes: custom resources", firm=True)
def controller_of_jobs_missing(workloads: Workloads, context: Context) -> Iterator[Finding]:
    """There are JobSets or LeaderWorkerSets, but not their controller.

    They are objects of a kind that the cluster does not have before its controller is installed.

    Add `jobset: {}` or `lws: {}` to the workloads.
    """
    for field, controller in (("jobsets", "jobset"), ("leader_worker_sets", "lws")):
        if getattr(workloads, field) and not given(getattr(workloads, controller)):
            yield Finding(
                f"there are {field}, but {controller}, which runs them, is not installed",
                context.at_key(workloads, field),
                help=f"add `{controller}: {{}}` to the workloads",
            )
