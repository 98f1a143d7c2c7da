from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.rules.gke._pods import all_pods
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE119", severity=Severity.WARNING)
def queued_pods_ask_for_nothing(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
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
