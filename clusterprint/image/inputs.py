"""What the image of Ray is made from: the same answer for the build, for synth, and for rules."""

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import ImageBuild
from clusterprint.derived import names, node_pools
from clusterprint.derived.texts import text_of

# What an image is called in the cluster's repository.
_NAME = "ray"


class Inputs(NamedTuple):
    """A Dockerfile, the Python packages, and what the Dockerfile is handed."""

    dockerfile: str
    requirements: str
    arguments: dict[str, str]

    @property
    def checksum(self) -> str:
        """The same for the same content, on every machine."""
        return hashlib.sha256(json.dumps(self, sort_keys=True).encode()).hexdigest()


def inputs_of(blueprint: RayBlueprint, build: ImageBuild, folder: Path) -> Inputs:
    """What the image of a blueprint is made from; files are read from the blueprint's folder."""
    return Inputs(
        dockerfile=_dockerfile(build, folder),
        requirements="" if build.requirements is UNSET else text_of(build.requirements, folder),
        arguments={
            "BASE_IMAGE": stock_image(blueprint) if build.base is UNSET else build.base,
            "PYTHON_INDEX": _python_index(blueprint),
        },
    )


def stock_image(blueprint: RayBlueprint) -> str:
    """Ray's own image, from the cluster's copy of Docker Hub if it has one."""
    image = f"rayproject/ray:{blueprint.ray.version}-py312{_variant(blueprint)}"
    if not blueprint.registry.docker:
        return image
    return f"{repository(blueprint, names.virtual_registry(blueprint.name, 'docker'), 'docker')}/{image}"


def image_name(blueprint: RayBlueprint) -> str:
    """What the image of a blueprint is called, in the cluster's own registry; without a tag."""
    return f"{repository(blueprint, names.registry(blueprint.name, 'docker'), 'docker')}/{_NAME}"


def repository(blueprint: GoogleBlueprint, name: str, form: str) -> str:
    """A repository as clients of its form name it, without a scheme."""
    # Projects of old domains are called `example.com:project`, in paths `example.com/project`.
    return f"{blueprint.region}-{form}.pkg.dev/{blueprint.project.replace(':', '/')}/{name}"


def _variant(blueprint: RayBlueprint) -> str:
    """With CUDA or libtpu, where there is something to use it."""
    if any(node_pools.has_gpus(pool) for pool in blueprint.node_pools):
        return "-cu128"
    return "-tpu" if any(node_pools.tpu(pool) for pool in blueprint.node_pools) else ""


def _python_index(blueprint: RayBlueprint) -> str:
    if not blueprint.registry.python:
        return ""
    return (
        f"https://{repository(blueprint, names.virtual_registry(blueprint.name, 'python'), 'python')}/simple/"
    )


def _dockerfile(build: ImageBuild, folder: Path) -> str:
    if build.dockerfile is not UNSET:
        return text_of(build.dockerfile, folder)
    return (resources.files("clusterprint.image") / "Dockerfile").read_text("utf-8")
