"""What a stack tells its users."""

from cdktf import TerraformOutput
from constructs import Construct

from clusterprint.plan.google import OutputsPlan


class Outputs(Construct):
    """The outputs of a stack, under the same names in every kind."""

    def __init__(self, scope: Construct, id: str, *, plan: OutputsPlan) -> None:
        super().__init__(scope, id)
        self._tell("connect", list(plan.connect), "How to open a shell on a node.")
        self._tell("nodes", list(plan.nodes), "Names of the nodes.")
        self._tell(
            "addresses", plan.addresses, "Name of each node in the internal DNS, where its address is found."
        )
        self._tell("state", plan.state, "Where the Terraform state of this stack is.")

    def _tell(self, name: str, value: object, description: str) -> None:
        output = TerraformOutput(self, name, value=value, description=description)
        # Not the path of constructs: people and scripts read outputs by these very names.
        output.override_logical_id(name)
