"""Images that are built for workloads: their builds, what these need, and by which name jobs use them."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import names
from clusterprint.derived.builds import private_build
from clusterprint.derived.provisioner import builds_image
from clusterprint.errors import InternalError
from clusterprint.image import lock
from clusterprint.image.inputs import image_name, inputs_of
from clusterprint.plan.builds import BuildsPlan, ImagePlan
from clusterprint.resolve.gke.builds import (
    resolve_build_pool,
    resolve_builder,
    resolve_image_plan,
    resolve_registries,
    resolve_registry,
)


def resolve_builds(blueprint: GkeBlueprint) -> BuildsPlan:
    """The builds of images: those of jobs, and that of the slice provisioner."""
    registries = resolve_registries(blueprint)
    builds = blueprint.image_builds
    provisioner = blueprint.workloads.tpu_provisioner
    if not builds and (provisioner is UNSET or not builds_image(provisioner)):
        return BuildsPlan(registries=registries)
    if not any(each.form == "docker" for each in registries):
        # The images have to be somewhere; copies of public ones are another matter.
        own = resolve_registry(blueprint, "docker", mirrors=False)
        registries = (own, *registries)
    private = private_build(blueprint)
    return BuildsPlan(
        registries=registries,
        # A rule sees to it that all want the same machines.
        pool=resolve_build_pool(blueprint, private) if private else None,
        builder=resolve_builder(blueprint),
    )


def resolve_image(blueprint: GkeBlueprint, build: NamedImageBuild, folder: Path) -> ImagePlan:
    """The build of one image."""
    return resolve_image_plan(
        blueprint,
        build,
        inputs_of(blueprint, build, folder),
        image=image_name(blueprint, build.name),
        version="",
        lock=names.build_lock(blueprint.name, build.name),
        attested=blueprint.cluster.binary_authorization,
    )


def image_of(job: MpiJob | PodGroup, blueprint: GkeBlueprint, folder: Path) -> str:
    """The image of a job's pods; empty if it is yet to be built."""
    if job.image is not UNSET:
        return job.image
    build = next((each.name for each in blueprint.image_builds if each.name == job.build), None)
    if build is None:
        raise InternalError(f"{job.name} passed validation without an image")
    locked = lock.read(folder / names.build_lock(blueprint.name, build))
    # The name follows from the blueprint, whatever the lock says.
    return "" if locked is None else f"{image_name(blueprint, build)}@{locked.digest}"
