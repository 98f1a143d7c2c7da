"""Outputs of a cluster on Azure, whose addresses are known only from its state."""

from pathlib import Path
from typing import TYPE_CHECKING

from clusterprint.cli import lifecycle
from clusterprint.errors import EnvironmentFailure
from clusterprint.examine import Examined

if TYPE_CHECKING:
    from clusterprint.plan.vmss import VmssPlan


def connect(examined: Examined, plan: "VmssPlan", simulate: Path | None) -> list[str]:
    """Commands to connect to the cluster, with the addresses in its state."""
    lifecycle.insist_on_posix()
    from clusterprint.access.machines import azure_ways
    from clusterprint.lifecycle.outputs import read_outputs
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.skeleton import skeletons
    from clusterprint.lifecycle.stack import synthesized

    with (
        synthesized(examined) as made,
        skeletons(made) as stacks,
        session(stacks, simulate, lifecycle.display(quiet=True), None) as opened,
    ):
        found, broken = read_outputs(stacks, opened)
    if broken:
        lifecycle.tell_broken(broken, (), "the same command")
        raise EnvironmentFailure("the addresses are in the state, which cannot be read")
    return azure_ways(found, plan)
