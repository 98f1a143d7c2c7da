from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import names
from clusterprint.image import lock
from clusterprint.image.provisioner import image_name
from clusterprint.rules import _paths
from clusterprint.rules.gke._provisioner_images import BUILD_AGAIN, is_built, read
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE313", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def provisioner_image_lock_unfit(
    provisioner: TpuProvisioner, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    """The lock file of the provisioner's image is damaged, or names an image in another registry.

    It says by digest which image runs in the cluster. An image in another registry was not built from our
    sources; or the project, the region or the name has changed since. A link, a pipe or a file of more than 4
    KiB is not even opened.

    Restore the file from version control, or remove it and build the image again.
    """
    if not is_built(provisioner):
        return
    file = names.provisioner_lock(context.blueprint.name)
    image = image_name(context.blueprint)
    try:
        locked = read(context)
    except lock.BrokenLock as error:
        yield Finding(f"{file} {error}", context.at_key(provisioner), help=BUILD_AGAIN)
        return
    if locked is not None and locked.image != image:
        yield Finding(
            f"{file} names {_paths.shown(locked.image)}, but this cluster's image is {image}",
            context.at_key(provisioner),
            help=BUILD_AGAIN,
        )
