"""Nodes of kind vm: what Compute Engine has, and what each node says of itself in its guest attributes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from clusterprint.plan.vm import GroupPartPlan, NodeGroupPlan, VmPlan
from clusterprint.status import slurm
from clusterprint.status.machines import MISSING, POWERED_DOWN, READY, Images, Machines, Node, images_of
from clusterprint.status.programs import Missing, Programs, Unasked

_AT_ONCE = 16
_RUNNING = "RUNNING"
_NAMESPACE = "clusterprint"
_FAMILY = "/images/family/"

#: States of machines that Compute Engine has, and does not run.
STOPPED = ("stopping", "stopped", "terminated", "suspending", "suspended")

# What a node said longer ago than that is not true of it any more.
_FRESH = 600

# What a group is called where there is no other.
_ONLY = "nodes"


def machines_of(plan: VmPlan, programs: Programs) -> Machines:
    """The nodes of a cluster: those that were asked for by name, and those that Compute Engine has named."""
    wanted = sum(len(each.group.nodes) or each.group.queued for each in plan.groups)
    try:
        there = instances_of(plan, programs)
    except Unasked as error:
        return Machines(wanted, unknown=(f"nodes: {error}",))
    nodes: list[Node] = []
    unknown: list[str] = []
    states = {name: str(each.get("status", "")) for (_, name), each in there.items()}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        # Meanwhile the others are asked.
        of_slurm = pool.submit(slurm.ask, plan, states, programs)
        of_disks = pool.submit(_images, plan, programs) if there else None
        for group in plan.groups:
            for part in group.group.parts:
                nodes += _of_part(group, part, there, plan.project, programs)
        nodes = [_saving(plan, each) for each in nodes]
        try:
            nodes = list(pool.map(lambda each: _asked(each, plan, programs), nodes))
        except Unasked as error:
            unknown.append(f"status of the nodes: {error}")
        wanted -= sum(each.state == POWERED_DOWN for each in nodes)
        state, jobs = of_slurm.result()
        try:
            images = of_disks.result() if of_disks else {}
        except Unasked as error:
            images = {}
            unknown.append(f"images of the nodes: {error}")
    nodes = [each._replace(image=images.get((each.place, each.name), "")) for each in nodes]
    return Machines(wanted, tuple(nodes), jobs, tuple(unknown), state, _compared(plan, nodes))


def _saving(plan: VmPlan, node: Node) -> Node:
    """The node; one that power saving has stopped is where it has to be."""
    stopped = node.state in STOPPED and plan.slurm is not None and plan.slurm.may_stop(node.name)
    return node._replace(state=POWERED_DOWN, detail="Slurm starts it for jobs") if stopped else node


Instances = Mapping[tuple[str, str], Mapping[str, Any]]


def instances_of(plan: VmPlan, programs: Programs) -> Instances:
    """All instances of the groups, by zone and name."""
    return _listed(plan, programs, "instances", "status,creationTimestamp,lastStartTimestamp")


def _listed(plan: VmPlan, programs: Programs, kind: str, fields: str) -> Instances:
    """Some fields of what is named like the nodes, by zone and name."""
    zones = sorted({part.zone for group in plan.groups for part in group.group.parts})
    names = "|".join(sorted({group.group.base_instance_name for group in plan.groups}))
    found = programs.items(
        "gcloud", "compute", kind, "list", f"--project={plan.project}", f"--zones={','.join(zones)}",
        f'--filter=name~"^({names})-[0-9a-z]+$"', f"--format=json(name,zone,{fields})",
    )  # fmt: skip
    return {(str(each.get("zone", "")).rpartition("/")[2], str(each.get("name"))): each for each in found}


def _images(plan: VmPlan, programs: Programs) -> dict[tuple[str, str], str]:
    """The image of each boot disk, which has the zone and the name of its machine, as a path."""
    found = _listed(plan, programs, "disks", "sourceImage")
    sources = {
        key: str(each.get("sourceImage") or "").partition("/projects/")[2] for key, each in found.items()
    }
    return {key: f"projects/{source}" for key, source in sources.items() if source}


def _compared(plan: VmPlan, nodes: Sequence[Node]) -> tuple[Images, ...]:
    wanted = {group.key or _ONLY: group.template.image for group in plan.groups}
    return images_of((wanted[each.group], _FAMILY not in wanted[each.group], each) for each in nodes)


def _of_part(
    group: NodeGroupPlan, part: GroupPartPlan, there: Instances, project: str, programs: Programs
) -> Iterator[Node]:
    prefix = f"{group.group.base_instance_name}-"
    names: Sequence[str] = part.nodes or sorted(
        name for zone, name in there if zone == part.zone and name.startswith(prefix)
    )
    why, idle = "", group.group.idle
    for name in names:
        found = there.get((part.zone, name))
        if found is None:
            why = why or _why_missing(part, project, programs)
            yield Node(name, group.key or _ONLY, part.zone, MISSING, why)
            continue
        status = str(found.get("status", ""))
        since = str(found.get("lastStartTimestamp") or found.get("creationTimestamp") or "")
        state = "running" if status == _RUNNING else status.lower()
        node = Node(name, group.key or _ONLY, part.zone, state, since=since if status == _RUNNING else "")
        yield _resting(node, part, project) if idle and idle.stops and state in STOPPED else node


def _resting(node: Node, part: GroupPartPlan, project: str) -> Node:
    """A stopped node of a group that stops when nobody uses it, with the command that starts it."""
    return node._replace(state=POWERED_DOWN, detail=f"{start(node.name, part, project)} starts it")


def start(node: str, part: GroupPartPlan, project: str) -> str:
    """The command that starts a node of a group that was stopped."""
    words = f"gcloud compute instance-groups managed start-instances {part.name} --instances={node}"
    return f"{words} --zone={part.zone} --project={project}"


def _why_missing(part: GroupPartPlan, project: str, programs: Programs) -> str:
    """The last thing that went wrong with a group of machines, in Google's words."""
    try:
        said = programs.text(
            "gcloud", "compute", "instance-groups", "managed", "list-errors", part.name,
            f"--project={project}", f"--zone={part.zone}", "--limit=1",
            "--format=value(error.code,error.message)",
        )  # fmt: skip
    except Unasked:
        return ""
    return " ".join(said.split())


def _asked(node: Node, plan: VmPlan, programs: Programs) -> Node:
    """The node with what it says of itself, if it runs."""
    if node.state != "running":
        return node
    try:
        said = programs.items(
            "gcloud", "compute", "instances", "get-guest-attributes", node.name, f"--project={plan.project}",
            f"--zone={node.place}", f"--query-path={_NAMESPACE}/", "--format=json",
        )  # fmt: skip
    except Missing:
        return node._replace(state="starting", detail="it has not reported anything yet")
    words = {str(each.get("key")): str(each.get("value", "")).strip() for each in said}
    state = words.get("state", "")
    if state == READY:
        node = node._replace(idle_seconds=_idle(words.get("idle", ""), programs))
        idle = next((each.group.idle for each in plan.groups if (each.key or _ONLY) == node.group), None)
        rests = idle is not None and node.idle_seconds >= idle.seconds
        told = (_unhealthy(words.get("health", "")), f"idle for {_clock(node.idle_seconds)}" if rests else "")
        return node._replace(state=READY, detail="; ".join(filter(None, told)))
    return node._replace(state=state or "starting", detail=_step(words.get("status", "")))


def _idle(said: str, programs: Programs) -> int:
    """How long a node has been idle, as it said just now: words of an earlier boot may stay."""
    seconds, when, *_ = (*said.split(), "", "")
    if not (seconds.isdecimal() and when.isdecimal()):
        return 0
    return int(seconds) if abs(programs.now().timestamp() - int(when)) <= _FRESH else 0


def _clock(seconds: int) -> str:
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}h {minutes}m" if hours else f"{minutes}m"


def _unhealthy(said: str) -> str:
    """A node's health check result, unless it is healthy."""
    first, _, rest = said.partition("\n")
    return "" if first in ("", "healthy") else ": ".join(filter(None, (first, rest.partition("\n")[0])))


def _step(status: str) -> str:
    """Which step of its setup a node is in, or has failed in."""
    try:
        steps = json.loads(status)["steps"]
        last = [each for each in steps if each["state"] in ("running", "failed")][-1]
    except (ValueError, LookupError, TypeError):
        return ""
    return f"{last['name']}: {last['message']}" if last.get("message") else str(last["name"])
