"""Nodes that are added to others, from an image that is newer by then."""

from collections.abc import Iterator

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Resource, blocks, get
from clusterprint.review.machines import linked
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About
from clusterprint.words import counted

_FAMILY = "/images/family/"


def image_family(scene: ComparedCluster) -> Iterator[Risk]:
    """Groups that grow, and whose image is whatever is the newest when a node is created."""
    if scene.status in ("added", "removed"):
        return
    about = About(scene)
    before = {each.address: each.nodes for each in scene.machines_before}
    groups = {each.address: each for each in scene.resources_after}
    for machines in scene.machines_after:
        added = machines.nodes - before.get(machines.address, machines.nodes)
        group = groups.get(machines.address)
        image = _moving(group, scene) if added > 0 and before[machines.address] and group else ""
        if image:
            deltas = [each for each in scene.deltas if each.resource.address == machines.address]
            yield about.risk(
                "image_differs",
                "low",
                f"{counted(added, 'new node')} of {machines.name} may boot a newer image than the running "
                f"ones, with another kernel and driver: {image} moves",
                deltas,
                "name one image (`image`), or recreate all nodes of the group at once",
                hint="count image",
            )


def _moving(group: Resource, scene: ComparedCluster) -> str:
    """The name of the image, if what it stands for changes with time."""
    version = get(group.values, "source_image_reference.version")
    if version == "latest":
        return f"version latest of {get(group.values, 'source_image_reference.offer')}"
    kind = "google_compute_instance_template"
    template = linked(group, "version.instance_template", kind, scene.resources_after)
    for disk in blocks(template.values, "disk") if template else ():
        _, is_family, family = str(get(disk, "source_image", "")).partition(_FAMILY)
        if is_family:
            return f"image family {family}"
    return ""
