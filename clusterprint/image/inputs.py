"""Inputs of an image: the same for the build, for synth, and for rules."""

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names, node_pools
from clusterprint.derived.texts import text_of
from clusterprint.image.context import resolve_context
from clusterprint.plan.builds import ContextFilePlan

#: What a build is made from at the top of its source, whoever wrote it.
DOCKERFILE = "Dockerfile"
REQUIREMENTS = "requirements.txt"

#: What an image of a Ray cluster is called in its repository.
RAY = "ray"

Build = RayImageBuild | NamedImageBuild


class Inputs(NamedTuple):
    """A Dockerfile and the Python packages, what the Dockerfile is handed, and the files that it copies.

    Without a text, a file of the context is the Dockerfile.
    """

    dockerfile: str
    requirements: str
    arguments: dict[str, str]
    context: tuple[ContextFilePlan, ...]

    @property
    def checksum(self) -> str:
        """The same for the same content, on every machine."""
        made_from: list[object] = [self.dockerfile, self.requirements, self.arguments]
        if self.context:
            # Not where a file lies in the repository.
            made_from.append([[each.name, each.sha256, each.executable] for each in self.context])
        return hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()

    @property
    def files(self) -> dict[str, str]:
        """The files added to the context, which never replace one of it."""
        found = {DOCKERFILE: self.dockerfile, REQUIREMENTS: self.requirements}
        theirs = {each.name for each in self.context}
        return {name: text for name, text in found.items() if name not in theirs}


def inputs_of(blueprint: RayBlueprint | GkeBlueprint, build: Build, folder: Path) -> Inputs:
    """The inputs of an image; files are read from the blueprint's folder."""
    context = () if build.context is UNSET else resolve_context(build.context, folder)
    base = _base(blueprint, build)
    return Inputs(
        dockerfile=_dockerfile(build, folder, {each.name for each in context}),
        requirements="" if build.requirements is UNSET else text_of(build.requirements, folder),
        arguments={
            **({"BASE_IMAGE": base} if base else {}),
            "PYTHON_INDEX": _python_index(blueprint),
        },
        context=context,
    )


def _base(blueprint: RayBlueprint | GkeBlueprint, build: Build) -> str:
    """The base image; empty if only its Dockerfile names it."""
    if build.base is not UNSET:
        return build.base
    return stock_image(blueprint) if isinstance(blueprint, RayBlueprint) else ""


def stock_image(blueprint: RayBlueprint) -> str:
    """Ray's own image, from the cluster's copy of Docker Hub if it has one."""
    image = f"rayproject/ray:{blueprint.ray.version}-py312{_variant(blueprint)}"
    if not blueprint.registry.docker:
        return image
    return f"{repository(blueprint, names.virtual_registry(blueprint.name, 'docker'), 'docker')}/{image}"


def image_name(blueprint: GoogleBlueprint, name: str) -> str:
    """The name of an image in the cluster's own registry, without a tag."""
    return f"{repository(blueprint, names.registry(blueprint.name, 'docker'), 'docker')}/{name}"


def repository(blueprint: GoogleBlueprint, name: str, form: str) -> str:
    """A repository as clients of its form name it, without a scheme."""
    # Projects of old domains are called `example.com:project`, in paths `example.com/project`.
    return f"{blueprint.region}-{form}.pkg.dev/{blueprint.project.replace(':', '/')}/{name}"


def _variant(blueprint: RayBlueprint) -> str:
    """With CUDA or libtpu, where there is something to use it."""
    if any(node_pools.has_gpus(pool) for pool in blueprint.node_pools):
        return "-cu128"
    return "-tpu" if any(node_pools.tpu(pool) for pool in blueprint.node_pools) else ""


def _python_index(blueprint: RayBlueprint | GkeBlueprint) -> str:
    if not blueprint.registry.python:
        return ""
    return (
        f"https://{repository(blueprint, names.virtual_registry(blueprint.name, 'python'), 'python')}/simple/"
    )


def _dockerfile(build: Build, folder: Path, context: set[str]) -> str:
    if build.dockerfile is not UNSET:
        return text_of(build.dockerfile, folder)
    if DOCKERFILE in context:
        return ""
    ours = "Dockerfile" if isinstance(build, RayImageBuild) else "packages.Dockerfile"
    return (resources.files("clusterprint.image") / ours).read_text("utf-8")
