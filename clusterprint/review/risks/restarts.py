"""Nodes that are recreated or restarted although their pool, group or machine stays."""

from collections.abc import Iterator, Mapping

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, get, whole
from clusterprint.review.differences import differences
from clusterprint.review.machines import linked
from clusterprint.review.model import CapacityModel, Risk
from clusterprint.review.risks._make import About, titled
from clusterprint.words import counted

# Changed on running nodes; everything else below node_config makes GKE recreate them.
_GENTLE = ("labels", "taint", "tags", "resource_labels", "resource_manager_tags")


def restarts(scene: ComparedCluster) -> Iterator[Risk]:
    """Nodes that are recreated although their pool stays."""
    if scene.status in ("added", "removed"):
        return
    about = About(scene)
    for delta in scene.deltas:
        if delta.action != "changed" or delta.before is None or delta.after is None:
            continue
        if "instance_group_manager" in delta.resource.type:
            yield from _rollout(delta, scene, about)
        elif delta.resource.type == "google_container_node_pool":
            yield from _gke_rollout(delta, scene, about)
            yield from _gke_move(delta, scene, about)
        elif delta.resource.type == "google_container_cluster":
            yield from _cluster_move(delta, scene, about)
        elif "virtual_machine_scale_set" in delta.resource.type:
            yield from _azure_rollout(delta, about)
        elif delta.resource.type in ("google_compute_instance", "azurerm_linux_virtual_machine"):
            yield from _machine_restart(delta, about)


def _rollout(delta: Delta, scene: ComparedCluster, about: About) -> Iterator[Risk]:
    """A new template reaches running nodes at once, or with the next one that is made."""
    template = linked(
        delta.resource, "version.instance_template", "google_compute_instance_template", scene.resources_after
    )
    replaced = [
        each
        for each in scene.deltas
        if template and each.action == "replaced" and each.resource.address == template.address
    ]
    hint = " ".join(path for each in replaced for path in _paths(each))
    if not replaced and "version.instance_template" not in delta.unknown:
        return
    name = titled(delta)
    if get(delta.resource.values, "update_policy.type") == "PROACTIVE":
        batch = whole(get(delta.resource.values, "update_policy.max_unavailable_fixed"))
        pace = f"in batches of {batch}" if batch > 1 else "one by one"
        message = f"{name} has a new template and updates proactively: its nodes are recreated, {pace}"
        help_text = "let jobs finish first"
        yield about.risk("nodes_restarted", "high", message, [delta], help_text, hint=hint)
        return
    model = _model(delta, scene)
    message = f"{name} has a new template: {_NEW[model]}"
    yield about.risk("template_changed", "low", message, [delta], _HOW.get(model, ""), hint=hint)


# What becomes of running nodes when their group has a new template; those that were granted cannot come back.
_NEW: Mapping[CapacityModel, str] = {
    "flex_start": "for the next request only: granted nodes keep the old one, and end when they were to end",
    "spot": "running nodes keep the old one, and those that replace preempted ones have the new one",
    "on_demand": "running nodes keep the old one until they are recreated by hand",
    "reservation": "running nodes keep the old one until they are recreated by hand",
}
_HOW: Mapping[CapacityModel, str] = {
    "flex_start": (
        "let them end: a node that is deleted gives its capacity back. To ask for nodes again after that: "
        "clusterprint up --renew"
    ),
    "spot": "let them run: a spot node that is given back may not come again for a long time",
}


def _model(delta: Delta, scene: ComparedCluster) -> CapacityModel:
    """How the nodes that run were obtained."""
    found = [each.model for each in scene.machines_before if each.address == delta.resource.address]
    return found[0] if found else "on_demand"


def _paths(delta: Delta) -> list[str]:
    before = delta.before.values if delta.before else {}
    after = delta.after.values if delta.after else {}
    return [each.dotted for each in differences(before, after)]


def _gke_rollout(delta: Delta, scene: ComparedCluster, about: About) -> Iterator[Risk]:
    hard = [
        path
        for path in _paths(delta)
        if path.startswith("node_config.") and path.split(".")[1] not in _GENTLE
    ]
    if hard or "version" in _paths(delta):
        names = ", ".join(dict.fromkeys(hard or ["version"]))
        message = f"{titled(delta)} changes {names}: GKE drains its nodes and recreates them"
        help_text = "let jobs finish first"
        if _model(delta, scene) in _HOW:
            help_text += ", and nodes end: GKE has to obtain new ones, which may take long"
        yield about.risk("nodes_restarted", "medium", message, [delta], help_text, hint=names)


def _gke_move(delta: Delta, scene: ComparedCluster, about: About) -> Iterator[Risk]:
    """A pool that leaves zones: GKE does not move nodes, it deletes those that are there."""
    old, new = (_zones(each) for each in (delta.before, delta.after))
    left = sorted(old - new)
    if not left or not new:
        return
    was = [each for each in scene.machines_before if each.address == delta.resource.address]
    nodes = sum(each.most for each in was) * len(left) // len(old)
    where = f"GKE empties {'it' if len(left) == 1 else 'them'}"
    message = (
        f"{titled(delta)} leaves {', '.join(left)} for {', '.join(sorted(new))}: {where}, and its "
        f"{counted(nodes, 'node')} there {'goes' if nodes == 1 else 'go'} with what runs on "
        f"{'it' if nodes == 1 else 'them'}"
    )
    help_text = "add the new zone first, let jobs move, and then remove the old one"
    yield about.risk("nodes_moved", "high", message, [delta], help_text, hint="zones")


def _cluster_move(delta: Delta, scene: ComparedCluster, about: About) -> Iterator[Risk]:
    """The zones of a cluster are those of its pools that name none."""
    left = sorted(_zones(delta.before) - _zones(delta.after))
    heirs = [
        each
        for each in scene.deltas
        if each.resource.type == "google_container_node_pool" and each.before and not _zones(each.before)
    ]
    if left and _zones(delta.after) and heirs:
        message = (
            f"{titled(delta)} leaves {', '.join(left)}: GKE empties what {', '.join(map(titled, heirs))} "
            f"{'has' if len(heirs) == 1 else 'have'} there, with what runs on it"
        )
        yield about.risk("nodes_moved", "high", message, [delta, *heirs], hint="zones")


def _zones(resource: Resource | None) -> set[str]:
    found = get(resource.values, "node_locations") if resource else None
    return {str(each) for each in found} if isinstance(found, list) else set()


def _azure_rollout(delta: Delta, about: About) -> Iterator[Risk]:
    model = [
        path for path in _paths(delta) if path.split(".")[0] not in ("instances", "tags", "sku_name", "sku")
    ]
    resized = [path for path in _paths(delta) if path in ("sku", "sku_name")]
    if not model and not resized:
        return
    names = ", ".join(dict.fromkeys([*resized, *model]))
    mode = get(delta.resource.values, "upgrade_mode", "Manual")
    if mode == "Manual":
        message = f"{titled(delta)} changes {names}: running nodes keep the old model until they are upgraded"
        yield about.risk("template_changed", "low", message, [delta], hint=names)
        return
    message = (
        f"{titled(delta)} changes {names} and upgrades its nodes ({mode}): they restart or are recreated"
    )
    help_text = "let jobs finish first"
    yield about.risk("nodes_restarted", "high", message, [delta], help_text, hint=names)


# What a cloud changes of a machine only while it is stopped.
_TAKEN_STOPPED = ("machine_type", "size", "scheduling", "min_cpu_platform", "encryption_at_host_enabled")


def _machine_restart(delta: Delta, about: About) -> Iterator[Risk]:
    names = [path for path in _paths(delta) if path in _TAKEN_STOPPED]
    if names:
        message = f"{titled(delta)} stops and starts to change {', '.join(names)}"
        hint = " ".join(names)
        yield about.risk("nodes_restarted", "medium", message, [delta], hint=hint)
