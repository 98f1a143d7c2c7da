"""Outputs of the stack of workloads."""

from constructs import Construct

from clusterprint.plan.gke.workloads import WorkloadsOutputsPlan
from stacks.google.outputs import add_output


class WorkloadsOutputs(Construct):
    """The outputs, named as in clusters; missing ones are left out."""

    def __init__(self, scope: Construct, id: str, *, plan: WorkloadsOutputsPlan) -> None:
        super().__init__(scope, id)
        add_output(self, "connect", list(plan.connect), "How to let kubectl talk to the cluster.")
        add_output(self, "submit", list(plan.submit), "How to run something in the cluster.")
        if plan.queues:
            add_output(self, "queues", plan.queues, "Local queues (namespace/name) and where they draw from.")
        if plan.runs:
            add_output(self, "runs", plan.runs, "The current run of each MPI job.")
            add_output(self, "results", list(plan.results), "How to wait for a run and fetch its log.")
        add_output(self, "state", plan.state, "Where the Terraform state of this stack is.")
