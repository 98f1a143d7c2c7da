"""`outputs`: what the states of stacks say to the outside."""

from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.stack import Stack
from clusterprint.lifecycle.terraform import Terraform

Outputs = dict[str, Mapping[str, Any]]


def read_outputs(stacks: Sequence[Stack], session: Session) -> tuple[Outputs, list[Broken]]:
    """The outputs of each stack by its name, as `terraform output -json` has them, and where that failed."""

    def read(terraform: Terraform) -> Mapping[str, Any]:
        session.persisting(terraform, terraform.init, lambda: True)
        return terraform.outputs()

    with session.terraforms(stacks) as terraforms:
        return session.each(list(terraforms.values()), read)
