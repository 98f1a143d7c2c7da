"""Disks that nodes have for themselves, which no resource of their own stands for: they go with the nodes."""

from collections.abc import Iterator

from clusterprint.derived.machines import Machines
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, blocks
from clusterprint.review.machines import linked
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, goes, titled
from clusterprint.words import counted

_GROUP = "google_compute_instance_group_manager"
_NODE = "google_compute_per_instance_config"
_HELP = "save what is needed first; what is to outlive nodes belongs on a file system or in a bucket"


def node_disks(scene: ComparedCluster) -> Iterator[Risk]:
    """Each disk that nodes keep over repairs, and that goes with its node, or is kept no longer."""
    about = About(scene)
    groups = {each.before.address: each for each in scene.deltas if each.before and _is_group(each.before)}
    for machines in scene.machines_before:
        delta = groups.get(machines.address)
        kept = _kept(delta.before, machines) if delta and delta.before else []
        if delta is None or not kept:
            continue
        if delta.destroys:
            yield from (_with_group(each, delta, machines, about) for each in kept)
        else:
            yield from _of_nodes(delta, machines, kept, about)


def _is_group(resource: Resource) -> bool:
    return resource.type == _GROUP


def _kept(group: Resource, machines: Machines) -> list[str]:
    """The disks besides the boot disk that a group attaches again when it makes a node anew."""
    stateful = {str(each.get("device_name")) for each in blocks(group.values, "stateful_disk")}
    return [each.data.device for each in machines.disks if each.data and each.data.device in stateful]


def _of_nodes(delta: Delta, machines: Machines, kept: list[str], about: About) -> Iterator[Risk]:
    """The disks that are deleted with single nodes of a group that stays, and those it releases."""
    scene, after = about.scene, delta.after
    side = scene.resources_before
    gone = [
        each
        for each in scene.deltas
        if each.destroys
        and each.before
        and each.before.type == _NODE
        and linked(each.before, "instance_group_manager", _GROUP, side) is delta.before
    ]
    still = [str(each.get("device_name")) for each in blocks(after.values, "stateful_disk")] if after else []
    for device in kept:
        if device not in still:
            message = (
                f"{titled(delta)} no longer keeps disk {device} of its {counted(machines.most, 'node')}: it "
                "goes when its node is recreated, and with it the data on it"
            )
            yield about.risk("disk_removed", "critical", message, [delta], _HELP, hint=f"volumes {device}")
        elif gone:
            nodes = counted(len(gone), "node")
            message = f"{nodes} of {titled(delta)} go, and with each its disk {device} and the data on it"
            if len(gone) == 1:
                message = f"1 node of {titled(delta)} goes, and with it its disk {device} and the data on it"
            yield about.risk("disk_removed", "critical", message, [*gone, delta], _HELP, hint="count")


def _with_group(device: str, delta: Delta, machines: Machines, about: About) -> Risk:
    nodes = "its node" if machines.most == 1 else f"each of its {machines.most} nodes"
    message = f"{goes(delta)}, and with it disk {device} of {nodes}, with the data on it"
    hint = " ".join(each.path for each in delta.forced)
    return about.risk("disk_removed", "critical", message, [delta], _HELP, hint=hint)
