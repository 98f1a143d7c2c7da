"""Ranges of private services: what has addresses in one keeps them, whatever the range becomes."""

from collections.abc import Iterator

from clusterprint.resource_types import resource_type
from clusterprint.review import guards, ideas
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Resource, blocks, get, texts
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, titled
from clusterprint.words import counted

_RANGE, _CONNECTION = "google_compute_global_address", "google_service_networking_connection"

_REFUSED = "Terraform refuses to plan that, so nothing is applied"


def service_ranges(scene: ComparedCluster) -> Iterator[Risk]:
    """Each range that is replaced under file systems."""
    about = About(scene)
    for delta in scene.deltas:
        if delta.resource.type != _RANGE or delta.action != "replaced":
            continue
        before, after = delta.before, delta.after
        users = _users(before, scene) if before else []
        if before is None or after is None or not users:
            continue
        others = f" and {counted(len(users) - 1, 'other')}" if len(users) > 1 else ""
        message = (
            f"{titled(delta)} changes from {_cidr(before)} to {_cidr(after)}, while {ideas.title(users[0])}"
            f"{others} {'have' if others else 'has'} addresses in it, which never change: "
            f"{_REFUSED if guards.is_prevented(after) else 'the apply fails, or cuts them off'}"
        )
        help_text = (
            f"keep the range (`storage.private_services: {{cidr: {_cidr(before)}}}`); for another one, "
            "remove the file systems first, apply, and add them again with it"
        )
        yield about.risk("range_in_use", "high", message, [delta], help_text, hint="private_services cidr")


def _cidr(range_: Resource) -> str:
    return f"{get(range_.values, 'address', '?')}/{get(range_.values, 'prefix_length', '?')}"


def _users(range_: Resource, scene: ComparedCluster) -> list[Resource]:
    """The file systems behind the connection that has a range."""
    services = [
        str(get(each.values, "service"))
        for each in scene.resources_before
        if each.type == _CONNECTION
        and get(range_.values, "name") in texts(get(each.values, "reserved_peering_ranges"))
    ]
    return [
        each
        for each in scene.resources_before
        if resource_type(each.type).peering in services and not _has_own_peering(each)
    ]


def _has_own_peering(resource: Resource) -> bool:
    """Whether it is a Filestore that brings its own."""
    return any(
        each.get("connect_mode", "DIRECT_PEERING") == "DIRECT_PEERING"
        for each in blocks(resource.values, "networks")
    )
