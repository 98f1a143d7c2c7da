"""The wait for the nodes of `kind: vm` once Terraform has requested them.

Compute Engine takes an order of nodes at once and makes machines later, or never where there are none or
where the project may have no more: the order has succeeded all the same.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import durations
from clusterprint.nodes import deploy
from clusterprint.plan.vm import ArrivalPlan, NodeGroupPlan, WaitPlan
from clusterprint.plan.vm_image import NodeImagePlan

# A machine with GPUs is there after some minutes, or its group has met with errors by then.
# Who waits longer for nodes that are ready waits as long for their machines.
_LEAST_SECONDS = 900


def scripts(
    groups: Iterable[NodeGroupPlan], wait: WaitPlan | None, images: Sequence[NodeImagePlan]
) -> dict[str, str]:
    """The files beside the stack for waiting for nodes, and for building images."""
    used = {part.arrival.script for each in groups for part in each.group.parts if part.arrival}
    used |= {wait.script} if wait else set()
    used |= {each.script for each in images}
    carried = {name: text for each in images for name, text in each.files.items()}
    return {name: deploy.script(name) for name in sorted(filter(None, used))} | carried


def resolve_arrival(
    blueprint: VmBlueprint, *, zone: str, name: str, nodes: int, queued: bool
) -> ArrivalPlan | None:
    """Of `nodes` nodes of the group `name`; `queued` ones come when there is room for all of them."""
    if not nodes:
        return None
    wait = blueprint.wait
    seconds = 0 if wait is UNSET else durations.seconds(wait.timeout)
    where = f"--project={blueprint.project} --zone={zone}"
    command = "gcloud compute instance-groups managed"
    if queued:
        missing = (
            f"Group {name} is still waiting for its nodes ({nodes}), or its request has failed: they come "
            f"when all of them are free at once. What it says: {command} resize-requests list {name} {where}"
        )
        return ArrivalPlan(missing=missing, script="", environment={})
    missing = (
        f"Group {name} does not have all of its nodes ({nodes}). Mostly the project has too little quota "
        "(QUOTA_EXCEEDED), or the zone has no such machine left (ZONE_RESOURCE_POOL_EXHAUSTED), or a node "
        f"has just stopped and is being made anew. What it says: {command} list-errors {name} {where}"
    )
    environment = {
        "PROJECT": blueprint.project,
        "ZONE": zone,
        "GROUP": name,
        "NODES": str(nodes),
        "SECONDS_TO_WAIT": str(max(_LEAST_SECONDS, seconds)),
    }
    return ArrivalPlan(missing=missing, script=deploy.WAIT_FOR_NODES, environment=environment)
