"""The images that are built for a cluster."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.derived.provisioner import builds_image
from clusterprint.image import lock
from clusterprint.plan.builds import ImagePlan
from clusterprint.plan.vm_image import NodeImagePlan
from clusterprint.resolve import vm_images
from clusterprint.resolve.gke import image_builds
from clusterprint.resolve.gke.provisioner_image import resolve_provisioner_image
from clusterprint.resolve.ray.image import resolve_image


def resolve_node_images(blueprint: Blueprint, folder: Path) -> tuple[NodeImagePlan, ...]:
    """The images that a blueprint builds for machines."""
    if not isinstance(blueprint, VmBlueprint):
        return ()
    return tuple(vm_images.resolve_images(blueprint, node_groups.groups(blueprint), folder))


def resolve_images(blueprint: Blueprint, folder: Path) -> tuple[ImagePlan, ...]:
    """The builds of a blueprint's images of containers; none if it builds none."""
    if isinstance(blueprint, RayBlueprint):
        return () if blueprint.image_build is UNSET else (resolve_image(blueprint, folder),)
    return tuple(_of_gke(blueprint, folder)) if isinstance(blueprint, GkeBlueprint) else ()


def _of_gke(blueprint: GkeBlueprint, folder: Path) -> Iterator[ImagePlan]:
    for build in blueprint.image_builds:
        yield image_builds.resolve_image(blueprint, build, folder)
    provisioner = blueprint.workloads.tpu_provisioner
    if provisioner is not UNSET and builds_image(provisioner):
        yield resolve_provisioner_image(blueprint)


def is_current(plan: ImagePlan, folder: Path) -> bool:
    """Whether the last build of an image had the current inputs. Raises BrokenLock."""
    locked = lock.read(folder / plan.lock)
    return locked is not None and (locked.image, locked.inputs) == (plan.image, plan.inputs)
