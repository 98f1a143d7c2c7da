"""The image of the slice provisioner, and the file that remembers its last build."""

from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import names
from clusterprint.derived.provisioner import builds_image
from clusterprint.image import lock
from clusterprint.rules.kit import Context, given


def is_built(provisioner: TpuProvisioner) -> bool:
    """Whether the image is built from our sources; not where what is written for it is broken."""
    return not given(provisioner.image) and builds_image(provisioner)


def read(context: Context) -> lock.Lock | None:
    """The lock file; None before the first build. Raises BrokenLock."""
    return lock.read(context.folder / names.provisioner_lock(context.blueprint.name))
