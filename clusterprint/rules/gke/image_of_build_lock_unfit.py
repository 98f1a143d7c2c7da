from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.derived import names
from clusterprint.image import lock
from clusterprint.image.inputs import image_name
from clusterprint.rules import _paths
from clusterprint.rules.gke._provisioner_images import BUILD_AGAIN
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE384", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_of_build_lock_unfit(build: NamedImageBuild, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The lock file of an image is damaged, or names an image in another registry.

    It says by digest which image jobs run. An image in another registry was not built from this blueprint; or
    the project, the region or the name has changed since. A link, a pipe or a file of more than 4 KiB is not
    even opened.

    Restore the file from version control, or remove it and build the image again.
    """
    file = names.build_lock(context.blueprint.name, build.name)
    image = image_name(context.blueprint, build.name)
    try:
        locked = lock.read(context.folder / file)
    except lock.BrokenLock as error:
        yield Finding(f"{file} {error}", context.at(build, "name"), help=BUILD_AGAIN)
        return
    if locked is not None and locked.image != image:
        yield Finding(
            f"{file} names {_paths.shown(locked.image)}, but this build's image is {image}",
            context.at(build, "name"),
            help=BUILD_AGAIN,
        )
