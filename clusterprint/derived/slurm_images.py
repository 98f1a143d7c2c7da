"""Images of machines with Slurm: its version is that of the release of their system."""

from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import node_groups, node_images, node_slurm, scale_sets
from clusterprint.derived.releases import Release, of_urn, release


class Image(NamedTuple):
    """The image of some machines: `said` in the part of the blueprint, or due to its field `machine`."""

    part: Part
    machine: str
    said: bool
    release: Release | None
    suited: str


def images(blueprint: Blueprint) -> list[Image]:
    """The images of all machines of a blueprint with Slurm, that of its controller first."""
    if isinstance(blueprint, VmssBlueprint):
        return _of_scale_set(blueprint)
    if not isinstance(blueprint, VmBlueprint) or blueprint.bootstrap.slurm is UNSET:
        return []
    head = node_slurm.controller(blueprint, blueprint.bootstrap.slurm)
    groups = sorted(node_groups.groups(blueprint), key=lambda each: each is not head)
    suited = "Ubuntu 24.04, or of Debian 12, for all groups"
    return [
        Image(each, "machine_type", each.image is not UNSET, release(_name(each)), suited) for each in groups
    ]


def _name(group: VmNodes) -> str:
    if group.image is UNSET:
        return node_images.default_image(group).family
    return str(group.image.name if group.image.family is UNSET else group.image.family)


def _of_scale_set(blueprint: VmssBlueprint) -> list[Image]:
    head, nodes = blueprint.head_node, blueprint.nodes
    suited = "Ubuntu 24.04 for nodes and head, such as microsoft-dsvm:ubuntu-hpc:2404:latest"
    return [
        Image(head, "size", head.image is not UNSET, of_urn(scale_sets.head_image(blueprint)), suited),
        Image(nodes, "size", nodes.image is not UNSET, of_urn(scale_sets.node_image(blueprint)), suited),
    ]
