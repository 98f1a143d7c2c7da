"""`image_build`: the image of the Ray nodes, built by Cloud Build."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.image_build import Dockerfile, ImageBuild
from clusterprint.blueprint.relations import Refuses, Relation
from clusterprint.blueprint.texts import ContainerImage


class RayImageBuild(ImageBuild, frozen=True, kw_only=True):
    """How the image of the Ray nodes is built; `clusterprint image` submits the build."""

    relations: ClassVar[tuple[Relation, ...]] = (Refuses("RAY026", "timeout", "outside", ("", "24h")),)

    base: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Base image. Left out: the official Ray image of `ray.version`, with CUDA if the "
            "cluster has GPUs."
        ),
    ] = UNSET
    dockerfile: Annotated[
        Dockerfile | UnsetType,
        Meta(
            description="Custom Dockerfile. It gets the build arguments BASE_IMAGE and PYTHON_INDEX, and "
            "requirements.txt is in the build context. Left out: a Dockerfile that updates the system, adds "
            "the RDMA libraries and installs the requirements."
        ),
    ] = UNSET
