"""Outputs of a stack."""

from cdktf import TerraformOutput
from constructs import Construct

from clusterprint.plan.google import OutputsPlan


def add_output(scope: Construct, name: str, value: object, description: str) -> None:
    """Make one output of a stack."""
    output = TerraformOutput(scope, name, value=value, description=description)
    # Not the path of constructs: people and scripts read outputs by these very names.
    output.override_logical_id(name)


class Outputs(Construct):
    """The outputs of a stack of machines, under the same names in every kind."""

    def __init__(self, scope: Construct, id: str, *, plan: OutputsPlan) -> None:
        super().__init__(scope, id)
        add_output(self, "connect", list(plan.connect), "How to open a shell on a node.")
        add_output(self, "status", list(plan.status), "How to see how far the setup of each node is.")
        add_output(self, "nodes", list(plan.nodes), "Names of the nodes.")
        if plan.groups:
            groups = {name: list(nodes) for name, nodes in plan.groups.items()}
            add_output(self, "groups", groups, "Names of the nodes of each group.")
        add_output(
            self,
            "addresses",
            plan.addresses,
            "Name of each node in the internal DNS, where its address is found.",
        )
        for each in plan.more:
            add_output(self, each.name, each.commands, each.description)
        add_output(self, "state", plan.state, "Where the Terraform state of this stack is.")
