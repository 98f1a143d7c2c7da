"""Decisions about waiting for the nodes of a cluster of `kind: vm`."""

from collections.abc import Sequence

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import durations, node_slurm
from clusterprint.nodes import deploy
from clusterprint.plan.vm import NodeGroupPlan, WaitPlan


def resolve_wait(blueprint: VmBlueprint, resolved: Sequence[NodeGroupPlan]) -> WaitPlan | None:
    """None where an apply does not wait; `resolved` are the plans of the cluster's groups."""
    if blueprint.wait is UNSET:
        return None
    places = [f"{zone}/{node}" for each in resolved for node, zone in each.group.zones.items()]
    # A group that replaces its nodes by itself has only begun to when the apply goes on: old ones are ready.
    replaced = [
        f"{part.zone}/{part.name}"
        for each in resolved
        if each.group.update_type == "PROACTIVE"
        for part in each.group.parts
    ]
    environment = {
        "PROJECT": blueprint.project,
        "NODES": " ".join(places),
        "REPLACED": " ".join(replaced),
        "SECONDS_TO_WAIT": str(durations.seconds(blueprint.wait.timeout)),
    }
    slurm = node_slurm.slurm(blueprint)
    if stopped := [node for each in resolved for node in each.group.nodes if slurm and slurm.may_stop(node)]:
        environment["MAY_BE_STOPPED"] = " ".join(stopped)
    return WaitPlan(script=deploy.WAIT_UNTIL_READY, environment=environment)
