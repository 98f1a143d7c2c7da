from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.image import lock
from clusterprint.image.inputs import RAY, image_name
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY060", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_lock_of_other_registry(build: RayImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The lock file names an image in another registry than the cluster's own.

    The image is built into the registry that the blueprint creates. One from anywhere else was not built from
    this blueprint; or the project, the region or the name has changed since.

    Restore the file from version control, or remove it and build the image again.
    """
    name = names.image_lock(context.blueprint.name)
    try:
        locked = lock.read(context.folder / name)
    except lock.BrokenLock:
        return  # which another rule says
    image = image_name(context.blueprint, RAY)
    if locked is not None and locked.image != image:
        yield Finding(
            f"{name} names {_paths.shown(locked.image)}, but this cluster's image is {image}",
            context.at_key(build),
            help="restore it, or remove it and run `clusterprint image BLUEPRINT --submit`",
        )
