from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.image.inputs import RAY, image_name
from clusterprint.rules import _image_locks
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY060", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_lock_of_other_registry(build: RayImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The lock file names an image in another registry than the cluster's own.

    The image is built into the registry that the blueprint creates. One from anywhere else was not built from
    this blueprint; or the project, the region or the name has changed since.

    Restore the file from version control, or remove it and build the image again.
    """
    file, image = names.image_lock(context.blueprint.name), image_name(context.blueprint, RAY)
    yield from _image_locks.of_other(file, image, "cluster", context.at_key(build), context)
