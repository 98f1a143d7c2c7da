"""What the stack of Ray tells its users."""

from constructs import Construct

from clusterprint.plan.ray.ray import RayOutputsPlan
from stacks.google.outputs import tell


class RayOutputs(Construct):
    """The outputs, in the words that clusters use; what there is none of is left out."""

    def __init__(self, scope: Construct, id: str, *, plan: RayOutputsPlan) -> None:
        super().__init__(scope, id)
        tell(self, "connect", list(plan.connect), "How to let kubectl talk to the cluster.")
        tell(self, "submit", list(plan.submit), "How to run something on Ray.")
        tell(self, "dashboards", list(plan.dashboard), "How to reach Ray's dashboard.")
        tell(self, "image", plan.image, "Image of the Ray pods.")
        if plan.runs:
            tell(self, "runs", plan.runs, "The current run of each job.")
        tell(self, "state", plan.state, "Where the Terraform state of this stack is.")
