"""What follows from how an image is built."""

from msgspec import UNSET

from clusterprint.blueprint.ray.image_build import ImageBuild

#: What Cloud Build's default pool has, as it is written in blueprints. Images with CUDA are large.
DEFAULT_POOL_MACHINES = ("e2-medium", "e2-highcpu-8", "e2-highcpu-32")
_OF_POOL = {"private": "e2-highmem-8", "default": "e2-highcpu-8"}


def build_machine(build: ImageBuild) -> str:
    """The machine type that builds."""
    return _OF_POOL[build.pool] if build.machine_type is UNSET else build.machine_type
