"""Flex-start requests of kind vm: those that still wait in a queue, and those whose machines are gone."""

import re
from collections.abc import Iterator

from clusterprint.plan.vm import GroupPartPlan, NodeGroupPlan, VmPlan
from clusterprint.status.compute_engine import instances_of
from clusterprint.status.programs import Programs

_WAITS = ("ACCEPTED", "CREATING")


def queued_groups(plan: VmPlan, programs: Programs) -> set[str]:
    """Their names; `nodes` for the only group. Raises Unasked."""
    return {
        each.key or "nodes"
        for each, part in _parts(plan)
        if any(state in _WAITS for state in _states(plan, part, programs))
    }


def ended_requests(plan: VmPlan, programs: Programs) -> set[tuple[str, str]]:
    """Name and zone of each request whose machines have all been deleted. Raises Unasked.

    Compute Engine deletes them at the end of their run duration, and keeps the request.
    """
    parts = [*_parts(plan)]
    there = instances_of(plan, programs) if parts else {}
    gone = [
        (each.group.resize_request, part)
        for each, part in parts
        if not any(
            zone == part.zone and re.fullmatch(rf"{re.escape(each.group.base_instance_name)}-[0-9a-z]+", name)
            for zone, name in there
        )
    ]
    return {
        (name, part.zone)
        for name, part in gone
        if (states := _states(plan, part, programs)) and not {*states} & {*_WAITS}
    }


def _parts(plan: VmPlan) -> Iterator[tuple[NodeGroupPlan, GroupPartPlan]]:
    return ((each, part) for each in plan.groups if each.group.queued for part in each.group.parts)


def _states(plan: VmPlan, part: GroupPartPlan, programs: Programs) -> list[str]:
    found = programs.items(
        "gcloud", "compute", "instance-groups", "managed", "resize-requests", "list", part.name,
        f"--project={plan.project}", f"--zone={part.zone}", "--format=json(name,state)",
    )  # fmt: skip
    return [str(each.get("state", "")) for each in found]
