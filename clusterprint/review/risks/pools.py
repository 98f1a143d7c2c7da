"""Clusters, pools and networks that are recreated, and nodes that go: what runs on them stops."""

from collections.abc import Iterator, Mapping

from clusterprint.review import ideas
from clusterprint.review.delta import Delta, Resource, blocks, get
from clusterprint.review.differences import differences
from clusterprint.review.machines import Machines, linked
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, happens, titled, why
from clusterprint.review.scene import Scene
from clusterprint.words import counted

_CLUSTERS = ("google_container_cluster", "azurerm_kubernetes_cluster")
_NETWORKS = (
    "google_compute_network",
    "google_compute_subnetwork",
    "azurerm_virtual_network",
    "azurerm_subnet",
)

# What runs something; the rest of what is in a cluster (accounts, config maps) is used by these.
_RUNNING = (
    "helm_release", "kubernetes_job", "kubernetes_cron_job", "kubernetes_deployment",
    "kubernetes_stateful_set", "kubernetes_daemon_set", "kubernetes_daemonset", "kubernetes_pod",
    "kubernetes_manifest", "kubernetes_namespace",
)  # fmt: skip

# Changed on running nodes; everything else below node_config makes GKE recreate them.
_GENTLE = ("labels", "taint", "tags", "resource_labels", "resource_manager_tags")


def clusters(scene: Scene) -> Iterator[Risk]:
    """A cluster that goes, or a control plane that is recreated with everything in it."""
    about = About(scene)
    if scene.status == "removed":
        nodes = sum(each.nodes for each in scene.machines_before)
        message = f"cluster {scene.name} is destroyed with {counted(nodes, 'node')}: what runs on it stops"
        yield about.risk("cluster_removed", "high", message)
    for delta in scene.deltas:
        if delta.resource.type not in _CLUSTERS or not delta.destroys:
            continue
        if delta.action == "removed" and scene.status == "removed":
            continue
        message = f"{titled(delta)} {happens(delta)}{why(delta)}, and everything that runs in it"
        if delta.before and get(delta.before.meta, "lifecycle.prevent_destroy") is True:
            message += "; Terraform refuses to plan it as long as the cluster is protected"
        elif delta.before and get(delta.before.values, "deletion_protection", True) is True:
            message += "; Terraform stops at its deletion protection, but only after its pools are gone"
        help_text = "move the workloads to another cluster first, or undo what forces it"
        hint = " ".join(each.path for each in delta.forced)
        yield about.risk("cluster_replaced", "critical", message, [delta], help_text, hint=hint)


def networks(scene: Scene) -> Iterator[Risk]:
    """Networks that are recreated under running nodes."""
    about = About(scene)
    gone = [each for each in scene.deltas if each.resource.type in _NETWORKS and each.action == "replaced"]
    if gone:
        names = ", ".join(titled(each) for each in gone)
        message = f"replaced under the nodes that use them: {names}{why(gone[0])}"
        yield about.risk("network_replaced", "high", message, gone)


def ranges(scene: Scene) -> Iterator[Risk]:
    """Secondary ranges of pods and services: a subnet can change them, a cluster that uses them cannot."""
    running = any(each.before and each.resource.type == "google_container_cluster" for each in scene.deltas)
    about = About(scene)
    for delta in scene.deltas:
        if not running or delta.resource.type != "google_compute_subnetwork" or delta.action != "changed":
            continue
        old, new = (_secondary(each) for each in (delta.before, delta.after))
        changed = [name for name, cidr in old.items() if new.get(name) != cidr]
        if changed:
            told = ", ".join(f"{name} from {old[name]} to {new.get(name) or 'nothing'}" for name in changed)
            message = (
                f"{titled(delta)} changes {told}: the plan says that this is done in place, and Google Cloud "
                "refuses it as long as the cluster uses the range; it takes another cluster"
            )
            help_text = "keep the range; for more pods, add a cluster with larger ranges and move to it"
            hint = " ".join(f"network {name} cidr" for name in changed)
            yield about.risk("range_in_use", "high", message, [delta], help_text, hint=hint)


def _secondary(resource: Resource | None) -> dict[str, str]:
    found = blocks(resource.values, "secondary_ip_range") if resource else []
    return {str(each.get("range_name")): str(each.get("ip_cidr_range")) for each in found}


def pools(scene: Scene) -> Iterator[Risk]:
    """Pools that go or are recreated, and nodes that go; nothing of a cluster that goes as a whole."""
    if scene.status == "removed":
        return
    about = About(scene)
    deltas = {(each.resource.stack, each.resource.address): each for each in scene.deltas}
    by_address = {address: each for (_, address), each in deltas.items()}
    # What GKE makes pools for comes and goes with the pods that wait.
    before = {each.address: each for each in scene.machines_before if each.address in by_address}
    after = {each.address: each for each in scene.machines_after}
    for address, was in before.items():
        delta = by_address[address]
        now = after.get(address)
        if delta.action == "replaced":
            yield _replaced(delta, was, about)
        elif now is None:
            yield _removed(delta, was, after, about)
        elif now.most < was.most or now.nodes < was.nodes:
            yield _fewer(delta, was, now, about)
    yield from _nodes_replaced(scene, about)


def _replaced(delta: Delta, was: Machines, about: About) -> Risk:
    message = (
        f"{titled(delta)} is replaced{why(delta)}: its {counted(was.most, 'node')} "
        f"{'goes' if was.most == 1 else 'go'} with what runs on {'it' if was.most == 1 else 'them'}"
    )
    help_text = "let jobs finish first; scarce machines may not come back at once"
    hint = " ".join(each.path for each in delta.forced)
    return about.risk("pool_replaced", "high", message, [delta], help_text, hint=hint)


def _removed(delta: Delta, was: Machines, after: Mapping[str, Machines], about: About) -> Risk:
    # The same machines under another name: people meant to rename it.
    twins = [each.name for each in after.values() if _alike(each, was)]
    message = f"{titled(delta)} is removed with its {counted(was.most, 'node')}: what runs there stops"
    if twins and twins[0] != was.name:
        message += f"; {twins[0]} looks like its new name, but a pool cannot be renamed: it is recreated"
        return about.risk("pool_renamed", "high", message, [delta], "keep the name")
    return about.risk("pool_removed", "high", message, [delta])


def _alike(one: Machines, other: Machines) -> bool:
    return (one.machine_type, one.model, one.nodes, one.most) == (
        other.machine_type, other.model, other.nodes, other.most,
    )  # fmt: skip


def _fewer(delta: Delta, was: Machines, now: Machines, about: About) -> Risk:
    message = f"{titled(delta)} shrinks from {_size(was)} to {_size(now)}: what runs on the others stops"
    return about.risk("nodes_removed", "medium", message, [delta], hint="count autoscaling max")


def _size(machines: Machines) -> str:
    if machines.nodes == machines.most:
        return counted(machines.nodes, "node")
    return f"{machines.nodes} to {counted(machines.most, 'node')}"


def _nodes_replaced(scene: Scene, about: About) -> Iterator[Risk]:
    groups = {each.resource.base for each in scene.deltas if each.action == "replaced"}
    for type_ in ("google_compute_per_instance_config",):
        nodes = [each for each in scene.deltas if each.resource.type == type_ and each.action == "replaced"]
        if nodes and not any(base.startswith("google_compute_instance_group_manager") for base in groups):
            message = f"{counted(len(nodes), 'node')} recreated{why(nodes[0])}: what runs there stops"
            yield about.risk("nodes_restarted", "high", message, nodes)


def restarts(scene: Scene) -> Iterator[Risk]:
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
            yield from _gke_rollout(delta, about)
            yield from _gke_move(delta, scene, about)
        elif delta.resource.type == "google_container_cluster":
            yield from _cluster_move(delta, scene, about)
        elif "virtual_machine_scale_set" in delta.resource.type:
            yield from _azure_rollout(delta, about)
        elif delta.resource.type in ("google_compute_instance", "azurerm_linux_virtual_machine"):
            yield from _machine_restart(delta, about)


def _rollout(delta: Delta, scene: Scene, about: About) -> Iterator[Risk]:
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
        message = f"{name} has a new template and updates proactively: its nodes are recreated, one by one"
        help_text = "let jobs finish first"
        yield about.risk("nodes_restarted", "high", message, [delta], help_text, hint=hint)
        return
    message = f"{name} has a new template: running nodes keep the old one until they are recreated by hand"
    yield about.risk("template_changed", "low", message, [delta], hint=hint)


def _paths(delta: Delta) -> list[str]:
    before = delta.before.values if delta.before else {}
    after = delta.after.values if delta.after else {}
    return [each.dotted for each in differences(before, after)]


def _gke_rollout(delta: Delta, about: About) -> Iterator[Risk]:
    hard = [
        path
        for path in _paths(delta)
        if path.startswith("node_config.") and path.split(".")[1] not in _GENTLE
    ]
    if hard or "version" in _paths(delta):
        names = ", ".join(dict.fromkeys(hard or ["version"]))
        message = f"{titled(delta)} changes {names}: GKE drains its nodes and makes them anew"
        help_text = "let jobs finish first"
        yield about.risk("nodes_restarted", "medium", message, [delta], help_text, hint=names)


def _gke_move(delta: Delta, scene: Scene, about: About) -> Iterator[Risk]:
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
    help_text = "add the new zone first, let jobs move, and then take the old one out"
    yield about.risk("nodes_moved", "high", message, [delta], help_text, hint="zones")


def _cluster_move(delta: Delta, scene: Scene, about: About) -> Iterator[Risk]:
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


def workloads(scene: Scene) -> Iterator[Risk]:
    """What runs inside a cluster, and is stopped or started again."""
    if scene.status in ("added", "removed"):
        return
    about = About(scene)
    for delta in scene.deltas:
        if ideas.word(delta.resource.type).idea != "workloads":
            continue
        if delta.destroys and delta.resource.type.removesuffix("_v1") in _RUNNING:
            message = f"{titled(delta)} {happens(delta)}{why(delta)}: what it runs stops"
            yield about.risk("workload_removed", "medium", message, [delta])
        elif delta.action == "changed" and delta.resource.type == "helm_release":
            message = f"{titled(delta)} changes: what it runs may be restarted"
            yield about.risk("workload_changed", "low", message, [delta])
