"""Groups of kind vm whose flex-start request still waits in Google's queue."""

from clusterprint.plan.vm import VmPlan
from clusterprint.status.programs import Programs

_WAITS = ("ACCEPTED", "CREATING")


def queued_groups(plan: VmPlan, programs: Programs) -> set[str]:
    """Their names; `nodes` for the only group. Raises Unasked."""
    return {
        each.key or "nodes"
        for each in plan.groups
        for part in each.group.parts
        if each.group.queued
        and any(
            request.get("state") in _WAITS
            for request in programs.items(
                "gcloud", "compute", "instance-groups", "managed", "resize-requests", "list", part.name,
                f"--project={plan.project}", f"--zone={part.zone}", "--format=json(name,state)",
            )
        )
    }  # fmt: skip
