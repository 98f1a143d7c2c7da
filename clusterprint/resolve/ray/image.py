"""Which image the Ray nodes run, and how it is built."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import durations, names
from clusterprint.derived.builds import build_machine
from clusterprint.derived.state import state_root
from clusterprint.errors import InternalError
from clusterprint.image import lock
from clusterprint.image.inputs import image_name, inputs_of, stock_image
from clusterprint.plan.builds import ImagePlan

# How much of the checksum of its inputs the tag of an image carries.
_CHECKSUM = 12
# The tag of the image whose layers the next build begins with.
_CACHE = "cache"


def resolve_image(blueprint: RayBlueprint, folder: Path) -> ImagePlan:
    """The build of a cluster's image, of a blueprint that has `image_build`."""
    build = blueprint.image_build
    if build is UNSET:
        raise InternalError(f"{blueprint.name} builds no image")
    name, project, region = blueprint.name, blueprint.project, blueprint.region
    inputs = inputs_of(blueprint, build, folder)
    return ImagePlan(
        project=project,
        region=region,
        image=image_name(blueprint),
        tag=f"{blueprint.ray.version}-{inputs.checksum[:_CHECKSUM]}",
        inputs=inputs.checksum,
        worker_pool=(
            f"projects/{project}/locations/{region}/workerPools/{names.worker_pool(name)}"
            if build.pool == "private"
            else ""
        ),
        machine_type=build_machine(build),
        disk_size_gb=build.disk_size_gb,
        sbom=build.sbom,
        cache=f"{image_name(blueprint)}:{_CACHE}" if build.cache else "",
        service_account=f"projects/{project}/serviceAccounts/{names.builder_email(name, project)}",
        staging=f"gs://{blueprint.backend.gcs.bucket}/{names.image_source(state_root(blueprint))}",
        timeout_seconds=durations.seconds(build.timeout),
        attested=blueprint.binary_authorization is not UNSET,
        files=inputs.files,
        context=inputs.context,
        arguments=inputs.arguments,
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
    # The name follows from the blueprint, whatever the lock says: it has no say in which registry is asked.
    return plan.name if locked is None else f"{plan.image}@{locked.digest}"
