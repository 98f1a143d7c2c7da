"""Images that are built for a cluster by Cloud Build: from what, and on which machines."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.blueprint.machines import MachineType
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Forbids, Needs, Relation, unless, when
from clusterprint.blueprint.texts import LOCAL_PATH_FORM, ContainerImage, Duration, JobName, choice


class Dockerfile(TextFile, frozen=True, kw_only=True):
    """A Dockerfile, inline or in a file: exactly one of the two."""

    noun = "Dockerfile"
    descriptions = ("File beside the blueprint that holds it.", "The Dockerfile itself.")
    examples = ("./Dockerfile", "ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nRUN pip install vllm\n")


class Requirements(TextFile, frozen=True, kw_only=True):
    """Python packages in pip's requirements format, inline or in a file: exactly one of the two."""

    noun = "list of requirements"
    descriptions = ("File beside the blueprint that holds it.", "The list itself.")
    examples = ("./requirements.txt", "torch>=2.7.1\ntorchvision>=0.22.1\n")


class BuildContext(LocalFiles, frozen=True, kw_only=True):
    """The folder that an image is built from, but for what its `.dockerignore` names. Written as a path."""

    shorthand: ClassVar[str] = "source"
    ignores: ClassVar[str] = ".dockerignore"


#: What Cloud Build's default pool has.
DEFAULT_POOL_MACHINES = ("e2-medium", "e2-highcpu-8", "e2-highcpu-32")


class ImageBuild(Part, frozen=True, kw_only=True):
    """How an image is built; `clusterprint image` submits the build."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes(
            "RAY107",
            unless("machine_type", *DEFAULT_POOL_MACHINES),
            when("pool", "default"),
        ),
    )

    pool: Annotated[
        Literal["private", "default"],
        choice(
            description="Where builds run.",
            values={
                "private": "A private pool in the cluster's network, so that builds can reach whatever the "
                "network can.",
                "default": "Cloud Build's default pool, outside of the cluster's network; nothing is "
                "created.",
            },
        ),
    ] = "private"
    machine_type: Annotated[
        MachineType | UnsetType,
        Meta(
            description="Machine type of the builds. Left out: e2-highmem-8 in a private pool, e2-highcpu-8 "
            "in the default pool.",
            examples=["e2-highmem-8"],
        ),
    ] = UNSET
    disk_size_gb: Annotated[
        int,
        Meta(ge=100, le=4000, description="Disk size of the build machines, in GB. GPU images are large."),
    ] = 100
    timeout: Annotated[Duration, Meta(description="Timeout of a build in Cloud Build, at most 24h.")] = "1h"
    context: Annotated[
        BuildContext | UnsetType,
        Meta(
            description="Folder beside the blueprint with the files that the Dockerfile copies. Without "
            "`dockerfile`, it holds the Dockerfile, too. Its `.dockerignore` is respected.",
            examples=["./image"],
            extra_json_schema={"type": "string", **LOCAL_PATH_FORM},
        ),
    ] = UNSET
    cache: Annotated[
        bool,
        Meta(
            description="Reuse unchanged layers of the last build, kept in the registry. System updates "
            "in an unchanged layer are then not repeated."
        ),
    ] = False
    sbom: Annotated[
        bool,
        Meta(
            description="Store a software bill of materials (SPDX) once the image has been built and "
            "scanned. Requires `registry.scan`."
        ),
    ] = False
    requirements: Annotated[Requirements | UnsetType, Meta(description="Python packages to install.")] = UNSET


_GENERATED = (when("dockerfile", UNSET), when("context", UNSET))


class NamedImageBuild(ImageBuild, frozen=True, kw_only=True):
    """An image for workloads; jobs refer to it by `build`."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE382", when("name", "provisioner")),
        Needs("GKE383", when("name"), when("base"), _GENERATED),
        Needs("GKE383", when("base"), when("requirements"), _GENERATED, words="requirements"),
        Excludes("GKE388", when("pool", "private"), when("/cluster.existing"), instead="default"),
    )

    name: Annotated[JobName, Meta(description="Name of the build, and of its image.", examples=["trainer"])]
    base: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Base image. Left out: the one that the Dockerfile names.",
            examples=["us-docker.pkg.dev/my-project/images/trainer:v1"],
        ),
    ] = UNSET
    dockerfile: Annotated[
        Dockerfile | UnsetType,
        Meta(
            description="Custom Dockerfile. It gets the build arguments PYTHON_INDEX and, with `base`, "
            "BASE_IMAGE, and requirements.txt is in the build context. Left out: a Dockerfile that installs "
            "the requirements on `base`."
        ),
    ] = UNSET
