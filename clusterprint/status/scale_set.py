"""Nodes of kind vmss: what Azure says of the instances of a scale set and of the head, through az."""

from collections.abc import Iterator, Mapping
from typing import Any

from clusterprint.plan.azure import ImagePlan
from clusterprint.plan.vmss import VmssPlan
from clusterprint.status import slurm
from clusterprint.status.machines import MISSING, READY, Machines, Node, images_of
from clusterprint.status.programs import Programs, Unasked

NODES = "nodes"
HEAD = "head"
_HEALTHY = "HealthState/healthy"
_RUNNING = "PowerState/running"


def machines_of(plan: VmssPlan, programs: Programs) -> Machines:
    """The nodes of a scale set, and the head, which is a machine of its own also where it is in the set.

    `plan` has the addresses of the head, if Slurm is to be asked.
    """
    wanted = plan.scale_set.instances + 1
    where = ("--subscription", plan.subscription, "--resource-group", plan.resource_group.name)
    try:
        found = programs.items("az", *_listing(plan), *where, "--output", "json")
    except Unasked as error:
        return Machines(wanted, unknown=(f"nodes: {error}",))
    nodes = [_node(each, NODES) for each in found]
    nodes += [
        Node(f"{NODES} ({number + 1})", NODES, plan.location, MISSING)
        for number in range(len(nodes), plan.scale_set.instances)
    ]
    unknown = []
    try:
        nodes += _head(plan, programs, where)
    except Unasked as error:
        unknown.append(f"head: {error}")
    states = {each.name: "RUNNING" if each.state in (READY, "not ready") else each.state for each in nodes}
    state, jobs = slurm.ask(plan, states, programs)
    configured = {NODES: _wanted(plan.scale_set.image), HEAD: _wanted(plan.head.image)}
    images = images_of((*configured[each.group], each) for each in nodes)
    return Machines(wanted, tuple(nodes), jobs, tuple(unknown), state, images)


def _listing(plan: VmssPlan) -> tuple[str, ...]:
    """Instances of a flexible set are machines like others, and only listed as such with their state."""
    if plan.scale_set.orchestration == "flexible":
        of_the_set = f"ends_with(virtualMachineScaleSet.id || '', '/{plan.scale_set.name}')"
        query = f"[?{of_the_set} && name != '{plan.head.name}']"
        return ("vm", "list", "--show-details", "--query", query)
    return ("vmss", "list-instances", "--name", plan.scale_set.name, "--expand", "instanceView")


def _head(plan: VmssPlan, programs: Programs, where: tuple[str, ...]) -> Iterator[Node]:
    query = f"[?name == '{plan.head.name}']"
    found = programs.items("az", "vm", "list", "--show-details", "--query", query, *where, "--output", "json")
    yield from (_node(each, HEAD) for each in found)
    if not found:
        yield Node(plan.head.name, HEAD, plan.location, MISSING)


def _wanted(image: ImagePlan) -> tuple[str, bool]:
    """An image of the blueprint, and whether it is one version."""
    if image.id:
        return image.id.lower(), not _is_gallery(image.id)
    name = f"{image.publisher}:{image.offer}:{image.sku}".lower()
    return (name, False) if image.version == "latest" else (f"{name}:{image.version}".lower(), True)


def _is_gallery(image: str) -> bool:
    """Whether an image of a gallery stands for its newest version."""
    return "galleries/" in image.lower() and "/versions/" not in image.lower()


def _image(found: Mapping[str, Any]) -> str:
    """The image of a machine with its version, in lower case; empty if Azure does not say which version."""
    given = (found.get("storageProfile") or {}).get("imageReference") or {}
    ids = (given.get(key) for key in ("id", "sharedGalleryImageId", "communityGalleryImageId"))
    name = next(filter(None, ids), "")
    version = str(given.get("exactVersion") or given.get("version") or "latest")
    if name and not _is_gallery(name):
        return str(name).lower()
    name = name or ":".join(str(given.get(key) or "") for key in ("publisher", "offer", "sku"))
    return "" if version == "latest" else f"{name}:{version}".lower()


def _node(found: Mapping[str, Any], group: str) -> Node:
    view = found.get("instanceView") or {}
    codes = [str(each.get("code", "")) for each in view.get("statuses") or ()]
    health = str(((view.get("vmHealth") or {}).get("status") or {}).get("code", ""))
    power = str(found.get("powerState") or "")
    runs = _RUNNING in codes or power == "VM running"
    profile = found.get("osProfile") or {}
    state = next((each.partition("/")[2] for each in codes if each.startswith("PowerState/")), "")
    state = state or power.removeprefix("VM ") or "unknown"
    detail = ""
    if runs:
        # Nobody says more of the head, and of instances of a flexible set, than that they run.
        state = READY if health in ("", _HEALTHY) else "not ready"
        detail = "" if health else "it runs; its health was not checked"
        detail = health.partition("/")[2] if health and health != _HEALTHY else detail
    return Node(
        name=str(profile.get("computerName") or found.get("name") or ""),
        group=group,
        place=str(found.get("location") or ""),
        state=state,
        detail=detail,
        since=str(found.get("timeCreated") or "") if runs else "",
        image=_image(found),
    )
