"""What the stack of workloads tells its users."""

from constructs import Construct

from clusterprint.plan.gke.workloads import WorkloadsOutputsPlan
from stacks.google.outputs import tell


class WorkloadsOutputs(Construct):
    """The outputs, in the words that clusters use; what there is none of is left out."""

    def __init__(self, scope: Construct, id: str, *, plan: WorkloadsOutputsPlan) -> None:
        super().__init__(scope, id)
        tell(self, "connect", list(plan.connect), "How to let kubectl talk to the cluster.")
        tell(self, "submit", list(plan.submit), "How to run something in the cluster.")
        if plan.queues:
            tell(self, "queues", plan.queues, "Local queues (namespace/name) and where they draw from.")
        if plan.runs:
            tell(self, "runs", plan.runs, "The current run of each MPI job.")
            tell(self, "results", list(plan.results), "How to wait for a run and fetch its log.")
        tell(self, "state", plan.state, "Where the Terraform state of this stack is.")
