"""The images that are built for a cluster."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.derived.provisioner import builds_image
from clusterprint.plan.builds import ImagePlan
from clusterprint.plan.vm_image import NodeImagePlan
from clusterprint.resolve.gke.provisioner_image import resolve_provisioner_image
from clusterprint.resolve.ray.image import resolve_image
from clusterprint.resolve.vm_images import resolve_images


def resolve_node_images(blueprint: Blueprint, folder: Path) -> tuple[NodeImagePlan, ...]:
    """The images that a blueprint builds for machines."""
    if not isinstance(blueprint, VmBlueprint):
        return ()
    return tuple(resolve_images(blueprint, node_groups.groups(blueprint), folder))


def resolve_build(blueprint: Blueprint, folder: Path) -> ImagePlan | None:
    """The build of a blueprint's image of a container; None if it builds none."""
    if isinstance(blueprint, RayBlueprint):
        return None if blueprint.image_build is UNSET else resolve_image(blueprint, folder)
    if isinstance(blueprint, GkeBlueprint):
        provisioner = blueprint.workloads.tpu_provisioner
        if provisioner is not UNSET and builds_image(provisioner):
            return resolve_provisioner_image(blueprint)
    return None
