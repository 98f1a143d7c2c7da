"""Outputs of the stack of Ray."""

from constructs import Construct

from clusterprint.plan.ray.ray import RayOutputsPlan
from stacks.google.outputs import add_output


class RayOutputs(Construct):
    """The outputs, named as in clusters; missing ones are left out."""

    def __init__(self, scope: Construct, id: str, *, plan: RayOutputsPlan) -> None:
        super().__init__(scope, id)
        add_output(self, "connect", list(plan.connect), "How to let kubectl talk to the cluster.")
        add_output(self, "submit", list(plan.submit), "How to run something on Ray.")
        add_output(self, "dashboards", list(plan.dashboard), "How to reach Ray's dashboard.")
        add_output(self, "image", plan.image, "Image of the Ray pods.")
        if plan.runs:
            add_output(self, "runs", plan.runs, "The current run of each job.")
        add_output(self, "state", plan.state, "Where the Terraform state of this stack is.")
