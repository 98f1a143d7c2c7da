"""Images of machines with Slurm: its version is that of the release of their system."""

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import node_groups, node_images, node_slurm, scale_sets
from clusterprint.derived.releases import Release, of_urn, release


def releases(blueprint: Blueprint) -> list[tuple[Part, str, Release | None]]:
    """The releases of all machines, of the controller first, each with its part and the field of its type."""
    if isinstance(blueprint, VmssBlueprint):
        head, nodes = scale_sets.head_image(blueprint), scale_sets.node_image(blueprint)
        return [(blueprint.head_node, "size", of_urn(head)), (blueprint.nodes, "size", of_urn(nodes))]
    if not isinstance(blueprint, VmBlueprint) or blueprint.bootstrap.slurm is UNSET:
        return []
    head_group = node_slurm.controller(blueprint, blueprint.bootstrap.slurm)
    groups = sorted(node_groups.groups(blueprint), key=lambda each: each is not head_group)
    return [(each, "machine_type", release(_name(each))) for each in groups]


def _name(group: VmNodes) -> str:
    if group.image is UNSET:
        return node_images.default_image(group).family
    return str(group.image.name if group.image.family is UNSET else group.image.family)
