"""The image of the slice provisioner, where none is named: its build, and what it is called."""

from pathlib import Path

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived import names, state_names
from clusterprint.derived.state import state_root
from clusterprint.image import lock, provisioner
from clusterprint.plan.builds import ImagePlan

# How much of the checksum of its sources the tag of the image carries.
_CHECKSUM = 12
# It takes two minutes; a machine of Google's own may be waited for.
_TIMEOUT_SECONDS = 1200


def resolve_provisioner_image(blueprint: GkeBlueprint) -> ImagePlan:
    """The build of the image. Its tag follows from its sources alone: the same sources are the same image."""
    name, project, region = blueprint.name, blueprint.project, blueprint.region
    checksum = provisioner.checksum()
    return ImagePlan(
        project=project,
        region=region,
        image=provisioner.image_name(blueprint),
        tag=checksum[:_CHECKSUM],
        inputs=checksum,
        worker_pool="",
        service_account=f"projects/{project}/serviceAccounts/{names.builder_email(name, project)}",
        staging=f"gs://{blueprint.backend.gcs.bucket}/{state_names.image_source(state_root(blueprint))}",
        timeout_seconds=_TIMEOUT_SECONDS,
        attested=blueprint.cluster.binary_authorization,
        files=provisioner.sources(),
        arguments={},
        lock=names.provisioner_lock(name),
    )


def locked_image(blueprint: GkeBlueprint, folder: Path) -> str | None:
    """The image by the digest of its last build; None before the first one."""
    locked = lock.read(folder / names.provisioner_lock(blueprint.name))
    # The name follows from the blueprint, whatever the lock says.
    return None if locked is None else f"{provisioner.image_name(blueprint)}@{locked.digest}"
