"""Outputs of a cluster of machines on Azure."""

from collections.abc import Iterable, Mapping

from cdktf import TerraformOutput
from constructs import Construct

from clusterprint.plan.vmss import VmssOutputsPlan


class Outputs(Construct):
    """The outputs of a stack, under the names of every kind. `values` fill in what Azure decides."""

    def __init__(
        self, scope: Construct, id: str, *, values: Mapping[str, str], plan: VmssOutputsPlan
    ) -> None:
        super().__init__(scope, id)
        self._values = values
        self._tell("connect", self._filled(plan.connect), "How to open a shell on the head and on a node.")
        self._tell("nodes", self._filled(plan.nodes), "How to list the nodes.")
        self._tell(
            "addresses",
            dict(zip(plan.addresses, self._filled(plan.addresses.values()), strict=True)),
            "Addresses of the head and of the load balancer.",
        )
        self._tell("host_files", list(plan.host_files), "Files on the head that list the nodes.")
        self._tell("health", list(plan.health), "Commands on the nodes and the head that look after health.")
        self._tell("state", plan.state, "Where the Terraform state of this stack is.")

    def _filled(self, texts: Iterable[str]) -> list[str]:
        return [self._fill(each) for each in texts]

    def _fill(self, text: str) -> str:
        for key, value in self._values.items():
            text = text.replace(f"{{{key}}}", value)
        return text

    def _tell(self, name: str, value: object, description: str) -> None:
        output = TerraformOutput(self, name, value=value, description=description)
        # Not the path of constructs: people and scripts read outputs by these very names.
        output.override_logical_id(name)
