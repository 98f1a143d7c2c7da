from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import names
from clusterprint.image.provisioner import image_name
from clusterprint.rules import _image_locks
from clusterprint.rules.gke._provisioner_images import is_built
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
    if is_built(provisioner):
        file, place = names.provisioner_lock(context.blueprint.name), context.at_key(provisioner)
        yield from _image_locks.damaged(file, place, context)
        yield from _image_locks.of_other(file, image_name(context.blueprint), "cluster", place, context)
