"""Clusters, pools and networks that are recreated, and nodes that go: what runs on them stops."""

from collections.abc import Iterator, Mapping

from clusterprint.derived.machines import Machines, price_of
from clusterprint.resource_types import resource_type
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, blocks, get
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, goes, titled, why
from clusterprint.words import counted


def clusters(scene: ComparedCluster) -> Iterator[Risk]:
    """A cluster that goes, or a control plane that is recreated with everything in it."""
    about = About(scene)
    if scene.status == "removed":
        nodes = sum(each.nodes for each in scene.machines_before)
        message = f"cluster {scene.name} is destroyed with {counted(nodes, 'node')}: what runs on it stops"
        yield about.risk("cluster_removed", "high", message)
    for delta in scene.deltas:
        if resource_type(delta.resource.type).diagram.box != "cluster" or not delta.destroys:
            continue
        if delta.action == "removed" and scene.status == "removed":
            continue
        message = f"{goes(delta)}, and everything that runs in it"
        if delta.before and get(delta.before.meta, "lifecycle.prevent_destroy") is True:
            message += "; Terraform refuses to plan it as long as the cluster is protected"
        elif delta.before and get(delta.before.values, "deletion_protection", True) is True:
            message += "; Terraform stops at its deletion protection, but only after its pools are gone"
        help_text = "move the workloads to another cluster first, or undo what forces it"
        hint = " ".join(each.path for each in delta.forced)
        yield about.risk("cluster_replaced", "critical", message, [delta], help_text, hint=hint)


def networks(scene: ComparedCluster) -> Iterator[Risk]:
    """Networks that are recreated under running nodes."""
    about = About(scene)
    gone = [
        each
        for each in scene.deltas
        if each.action == "replaced"
        if resource_type(each.resource.type).diagram.box in ("network", "subnet")
    ]
    if gone:
        names = ", ".join(titled(each) for each in gone)
        message = f"replaced under the nodes that use them: {names}{why(gone[0])}"
        yield about.risk("network_replaced", "high", message, gone)


def ranges(scene: ComparedCluster) -> Iterator[Risk]:
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


def pools(scene: ComparedCluster) -> Iterator[Risk]:
    """Pools that go or are recreated, and nodes that go; nothing of a cluster that goes as a whole."""
    if scene.status == "removed":
        return
    about = About(scene)
    deltas = {(each.resource.stack, each.resource.address): each for each in scene.deltas}
    by_address = {address: each for (_, address), each in deltas.items()}
    # Auto-created pools follow pending pods; their size is no change.
    before = {each.address: each for each in scene.machines_before if each.address in by_address}
    after = {each.address: each for each in scene.machines_after}
    for address, was in before.items():
        delta = by_address[address]
        now = after.get(address)
        if delta.action == "replaced":
            yield (
                _rolled(delta, was, now, about)
                if delta.create_first and now
                else _replaced(delta, was, about)
            )
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


def _rolled(delta: Delta, was: Machines, now: Machines, about: About) -> Risk:
    """The cost of a roll is both generations, as long as the old one is drained."""
    price = price_of(now)
    extra = f" (about ${price.usd * now.most:,.2f} per hour more)" if price else ""
    message = (
        f"{titled(delta)} rolls: the new pool is created first, then GKE drains the old one. Until "
        f"then, quotas and capacity must hold "
        f"{counted(was.most, 'old node')} and {counted(now.most, 'new node')}{extra}"
    )
    help_text = "jobs continue from their checkpoints; PodDisruptionBudgets are respected for up to an hour"
    return about.risk("pool_replaced", "medium", message, [delta], help_text)


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


def _nodes_replaced(scene: ComparedCluster, about: About) -> Iterator[Risk]:
    groups = {each.resource.base for each in scene.deltas if each.action == "replaced"}
    for type_ in ("google_compute_per_instance_config",):
        nodes = [each for each in scene.deltas if each.resource.type == type_ and each.action == "replaced"]
        if nodes and not any(base.startswith("google_compute_instance_group_manager") for base in groups):
            message = f"{counted(len(nodes), 'node')} recreated{why(nodes[0])}: what runs there stops"
            yield about.risk("nodes_restarted", "high", message, nodes)


def workloads(scene: ComparedCluster) -> Iterator[Risk]:
    """The workloads in a cluster that are stopped or restarted."""
    if scene.status in ("added", "removed"):
        return
    about = About(scene)
    for delta in scene.deltas:
        known = resource_type(delta.resource.type)
        if known.idea != "workloads":
            continue
        if delta.destroys and known.runs:
            message = f"{goes(delta)}: what it runs stops"
            yield about.risk("workload_removed", "medium", message, [delta])
        elif delta.action == "changed" and delta.resource.type == "helm_release":
            message = f"{titled(delta)} changes: what it runs may be restarted"
            yield about.risk("workload_changed", "low", message, [delta])
