"""Machines and settings of image builds."""

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import ImageBuild
from clusterprint.blueprint.gke.kubernetes import is_ray

# Images with CUDA are large.
_OF_POOL = {"private": "e2-highmem-8", "default": "e2-highcpu-8"}


def build_machine(build: ImageBuild) -> str:
    """The machine type that builds."""
    return _OF_POOL[build.pool] if build.machine_type is UNSET else build.machine_type


def builds(blueprint: Blueprint) -> tuple[ImageBuild, ...]:
    """The builds that a blueprint describes, in its order."""
    if is_ray(blueprint):
        return () if blueprint.image_build is UNSET else (blueprint.image_build,)
    return blueprint.image_builds if isinstance(blueprint, GkeBlueprint) else ()


def private_build(blueprint: Blueprint) -> ImageBuild | None:
    """The first build on machines of a pool of one's own, which all such builds share."""
    return next((each for each in builds(blueprint) if each.pool == "private"), None)
