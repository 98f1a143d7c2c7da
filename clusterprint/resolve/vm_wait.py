"""Decisions about waiting for the nodes of a cluster of `kind: vm`."""

from collections.abc import Sequence

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import durations
from clusterprint.nodes.vm import wait_script
from clusterprint.plan.vm import NodeGroupPlan, WaitPlan


def resolve_wait(blueprint: VmBlueprint, resolved: Sequence[NodeGroupPlan]) -> WaitPlan | None:
    """None where an apply does not wait; `resolved` are the plans of the cluster's groups."""
    if blueprint.wait is UNSET:
        return None
    return WaitPlan(
        script=wait_script(),
        timeout_seconds=durations.seconds(blueprint.wait.timeout),
        nodes=tuple(f"{each.zone}/{node}" for each in resolved for node in each.group.nodes),
    )
