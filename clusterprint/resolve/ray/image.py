"""Which image the Ray nodes run, and how it is built."""

import hashlib
import json
from importlib import resources
from pathlib import Path

from msgspec import UNSET

from clusterprint import names, quantity
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.ray.image_build import ImageBuild
from clusterprint.image import lock
from clusterprint.plan.ray.image import ImagePlan
from clusterprint.resolve import google
from clusterprint.resolve.content import text_of

# What an image is called in the cluster's repository.
_NAME = "ray"


def stock_image(version: str, *, gpus: bool) -> str:
    """Ray's own image of a version."""
    return f"rayproject/ray:{version}-py312{'-cu128' if gpus else ''}"


def resolve_image(
    blueprint: GoogleBlueprint, build: ImageBuild, folder: Path, *, version: str, gpus: bool, python: bool
) -> ImagePlan:
    """The build of a cluster's image; `python` tells whether the cluster has a registry of packages."""
    name, project, region = blueprint.name, blueprint.project, blueprint.region
    base = stock_image(version, gpus=gpus) if build.base is UNSET else build.base
    index = f"https://{region}-python.pkg.dev/{project}/{names.virtual_registry(name, 'python')}/simple/"
    made_from = {
        "dockerfile": _dockerfile(build, folder),
        "requirements": "" if build.requirements is UNSET else text_of(build.requirements, folder),
        "arguments": {"BASE_IMAGE": base, "PYTHON_INDEX": index if python else ""},
    }
    inputs = hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()
    account = f"{names.builder_account(name)}@{project}.iam.gserviceaccount.com"
    source = names.image_source(google.state_root(blueprint))
    return ImagePlan(
        project=project,
        region=region,
        image=f"{region}-docker.pkg.dev/{project}/{names.registry(name, 'docker')}/{_NAME}",
        tag=f"{version}-{inputs[:12]}",
        inputs=inputs,
        worker_pool=f"projects/{project}/locations/{region}/workerPools/{names.worker_pool(name)}",
        service_account=f"projects/{project}/serviceAccounts/{account}",
        staging=f"gs://{blueprint.backend.gcs.bucket}/{source}",
        timeout_seconds=quantity.seconds(build.timeout),
        lock=names.image_lock(name),
        **made_from,
    )


def image_reference(plan: ImagePlan, folder: Path) -> str:
    """The image that was built last, by digest; the one that is built next, by tag, before the first build."""
    locked = lock.read(folder / plan.lock)
    return f"{plan.image}:{plan.tag}" if locked is None else locked.reference


def _dockerfile(build: ImageBuild, folder: Path) -> str:
    if build.dockerfile is not UNSET:
        return text_of(build.dockerfile, folder)
    return (resources.files("clusterprint.image") / "Dockerfile").read_text("utf-8")
