from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.rules.gke._pods import all_pods
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE119", severity=Severity.WARNING, source="Kueue: quotas count what pods request")
def queued_pods_ask_for_nothing(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A manifest puts pods in a queue that ask for nothing which the queue could count.

    Kueue counts what pods request. It admits pods that request nothing at once, however many there are, and
    makes no request for nodes of `queued` capacity for them.

    Write requests or limits of vCPUs, memory, GPUs or TPUs into the manifest.
    """
    if not given(workloads.kueue):
        return
    for pods in all_pods(context):
        if pods.queue and not pods.requested:
            yield Finding(
                f"{pods.where} is in queue {pods.queue}, which cannot count it: no container requests "
                "anything",
                pods.place(context),
                help="add resources.requests to its containers, such as cpu",
            )
