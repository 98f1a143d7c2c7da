"""The image that is built for a cluster."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived.provisioner import builds_image
from clusterprint.plan.builds import ImagePlan
from clusterprint.resolve.gke.provisioner_image import resolve_provisioner_image
from clusterprint.resolve.ray.image import resolve_image


def resolve_build(blueprint: Blueprint, folder: Path) -> ImagePlan | None:
    """The build of a blueprint's image; None if it builds none."""
    if isinstance(blueprint, RayBlueprint):
        return None if blueprint.image_build is UNSET else resolve_image(blueprint, folder)
    if isinstance(blueprint, GkeBlueprint):
        provisioner = blueprint.workloads.tpu_provisioner
        if provisioner is not UNSET and builds_image(provisioner):
            return resolve_provisioner_image(blueprint)
    return None
