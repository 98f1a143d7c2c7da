"""Which image the Ray nodes run, and how it is built."""

import hashlib
import json
from importlib import resources
from pathlib import Path

from msgspec import UNSET

from clusterprint import names, node_pools, quantity
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import ImageBuild
from clusterprint.errors import InternalError
from clusterprint.image import lock
from clusterprint.plan.ray.image import ImagePlan
from clusterprint.resolve.state import state_root
from clusterprint.resolve.texts import text_of

# What an image is called in the cluster's repository.
_NAME = "ray"


def resolve_image(blueprint: RayBlueprint, folder: Path) -> ImagePlan:
    """The build of a cluster's image, of a blueprint that has `image_build`."""
    build = blueprint.image_build
    if build is UNSET:
        raise InternalError(f"{blueprint.name} builds no image")
    name, project, region = blueprint.name, blueprint.project, blueprint.region
    dockerfile = _dockerfile(build, folder)
    requirements = "" if build.requirements is UNSET else text_of(build.requirements, folder)
    arguments = {
        "BASE_IMAGE": stock_image(blueprint) if build.base is UNSET else build.base,
        "PYTHON_INDEX": _python_index(blueprint),
    }
    made_from = json.dumps([dockerfile, requirements, arguments], sort_keys=True)
    inputs = hashlib.sha256(made_from.encode()).hexdigest()
    return ImagePlan(
        project=project,
        region=region,
        image=f"{_host(region, 'docker')}/{_path(project)}/{names.registry(name, 'docker')}/{_NAME}",
        tag=f"{blueprint.ray.version}-{inputs[:12]}",
        inputs=inputs,
        worker_pool=f"projects/{project}/locations/{region}/workerPools/{names.worker_pool(name)}",
        service_account=f"projects/{project}/serviceAccounts/{names.builder_email(name, project)}",
        staging=f"gs://{blueprint.backend.gcs.bucket}/{names.image_source(state_root(blueprint))}",
        timeout_seconds=quantity.seconds(build.timeout),
        attested=blueprint.binary_authorization is not UNSET,
        dockerfile=dockerfile,
        requirements=requirements,
        arguments=arguments,
        lock=names.image_lock(name),
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
    return f"{plan.image}:{plan.tag}" if locked is None else locked.reference


def stock_image(blueprint: RayBlueprint) -> str:
    """Ray's own image, from the cluster's copy of Docker Hub if it has one."""
    image = f"rayproject/ray:{blueprint.ray.version}-py312{_variant(blueprint)}"
    if not blueprint.registry.docker:
        return image
    registry = names.virtual_registry(blueprint.name, "docker")
    return f"{_host(blueprint.region, 'docker')}/{_path(blueprint.project)}/{registry}/{image}"


def _variant(blueprint: RayBlueprint) -> str:
    """With CUDA or libtpu, where there is something to use it."""
    if any(node_pools.has_gpus(pool) for pool in blueprint.node_pools):
        return "-cu128"
    return "-tpu" if any(node_pools.tpu(pool) for pool in blueprint.node_pools) else ""


def _python_index(blueprint: RayBlueprint) -> str:
    if not blueprint.registry.python:
        return ""
    registry = names.virtual_registry(blueprint.name, "python")
    return f"https://{_host(blueprint.region, 'python')}/{_path(blueprint.project)}/{registry}/simple/"


def _host(region: str, form: str) -> str:
    return f"{region}-{form}.pkg.dev"


def _path(project: str) -> str:
    """Projects of old domains are called `example.com:project`, in paths `example.com/project`."""
    return project.replace(":", "/")


def _dockerfile(build: ImageBuild, folder: Path) -> str:
    if build.dockerfile is not UNSET:
        return text_of(build.dockerfile, folder)
    return (resources.files("clusterprint.image") / "Dockerfile").read_text("utf-8")
