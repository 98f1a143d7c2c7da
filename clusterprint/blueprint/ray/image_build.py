"""`image_build`: the image of the Ray nodes, built by Cloud Build."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.gke.components import ContainerImage
from clusterprint.blueprint.machines import MachineType
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, LocalPath


class Dockerfile(TextFile, frozen=True, kw_only=True):
    """A Dockerfile, inline or in a file: exactly one of the two."""

    noun = "Dockerfile"

    file: (
        Annotated[
            LocalPath,
            Meta(description="File beside the blueprint that holds it.", examples=["./Dockerfile"]),
        ]
        | UnsetType
    ) = UNSET
    inline: (
        Annotated[
            str,
            Meta(
                description="The Dockerfile itself.",
                min_length=1,
                examples=["ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nRUN pip install vllm\n"],
            ),
        ]
        | UnsetType
    ) = UNSET


class Requirements(TextFile, frozen=True, kw_only=True):
    """Python packages in pip's requirements format, inline or in a file: exactly one of the two."""

    noun = "list of requirements"

    file: (
        Annotated[
            LocalPath,
            Meta(description="File beside the blueprint that holds it.", examples=["./requirements.txt"]),
        ]
        | UnsetType
    ) = UNSET
    inline: (
        Annotated[
            str,
            Meta(
                description="The list itself.", min_length=1, examples=["torch>=2.7.1\ntorchvision>=0.22.1\n"]
            ),
        ]
        | UnsetType
    ) = UNSET


class ImageBuild(Part, frozen=True, kw_only=True):
    """How the image of the Ray nodes is built; `clusterprint image` submits the build."""

    machine_type: Annotated[
        MachineType,
        Meta(description="Machine type of the private build pool.", examples=["e2-highmem-8"]),
    ] = "e2-highmem-8"
    disk_size_gb: Annotated[
        int,
        Meta(ge=100, le=4000, description="Disk size of the build machines, in GB. GPU images are large."),
    ] = 100
    timeout: Annotated[Duration, Meta(description="Timeout of a build in Cloud Build, at most 24h.")] = "1h"
    base: (
        Annotated[
            ContainerImage,
            Meta(
                description="Base image. Left out: the official Ray image of `ray.version`, with CUDA if "
                "the cluster has GPUs."
            ),
        ]
        | UnsetType
    ) = UNSET
    dockerfile: (
        Annotated[
            Dockerfile,
            Meta(
                description="Custom Dockerfile. It gets the build arguments BASE_IMAGE and PYTHON_INDEX, "
                "and requirements.txt is in the build context. Left out: a Dockerfile that updates the "
                "system, adds the RDMA libraries and installs the requirements."
            ),
        ]
        | UnsetType
    ) = UNSET
    requirements: Annotated[Requirements, Meta(description="Python packages to install.")] | UnsetType = UNSET
