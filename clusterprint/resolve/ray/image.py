"""The image of the Ray nodes, and its build."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import names
from clusterprint.errors import InternalError
from clusterprint.image import lock
from clusterprint.image.inputs import RAY, image_name, inputs_of, stock_image
from clusterprint.plan.builds import ImagePlan
from clusterprint.resolve.gke.builds import resolve_image_plan


def resolve_image(blueprint: RayBlueprint, folder: Path) -> ImagePlan:
    """The build of a cluster's image, of a blueprint that has `image_build`."""
    build = blueprint.image_build
    if build is UNSET:
        raise InternalError(f"{blueprint.name} builds no image")
    return resolve_image_plan(
        blueprint,
        build,
        inputs_of(blueprint, build, folder),
        image=image_name(blueprint, RAY),
        version=blueprint.ray.version,
        lock=names.image_lock(blueprint.name),
        attested=blueprint.binary_authorization is not UNSET,
    )


def image_reference(blueprint: RayBlueprint, folder: Path) -> str:
    """The image of the Ray pods: the one that is given, or built, or Ray's own.

    A built one is named by the digest of its last build; before the first build by the tag that the
    build will give it.
    """
    if blueprint.ray.image is not UNSET:
        return blueprint.ray.image
    if blueprint.image_build is UNSET:
        return stock_image(blueprint)
    plan = resolve_image(blueprint, folder)
    locked = lock.read(folder / plan.lock)
    # The name follows from the blueprint, whatever the lock says: it has no say in which registry is asked.
    return plan.name if locked is None else f"{plan.image}@{locked.digest}"
