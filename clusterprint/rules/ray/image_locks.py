from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.image.inputs import RAY, image_name
from clusterprint.rules import _image_locks
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY023", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_lock_not_readable(build: RayImageBuild, context: Context) -> Iterator[Finding]:
    """The lock file of the image is damaged, half merged, or not an ordinary file.

    It says by digest which image the Ray pods run, and cannot be read. A link, a pipe or a file of more than
    4 KiB is not even opened.

    Restore the file from version control, or remove it and build the image again.
    """
    file = names.image_lock(context.blueprint.name)
    yield from _image_locks.damaged(file, context.at_key(build), context)


@rule("RAY024", severity=Severity.WARNING, source="clusterprint: the lock file of an image")
def image_lock_stale(build: RayImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The sources of the image have changed since it was built.

    The Ray pods run the image of the lock file. What has changed since its build (the Dockerfile, the
    packages, the Ray version) is not in it, and a Ray of another version refuses to work with clients.

    Build the image again, and commit the lock file with the change.
    """
    name = names.image_lock(context.blueprint.name)
    if is_stale(build, context, name):
        yield Finding(
            f"the image in {name} was built before its sources changed",
            context.at_key(build),
            help="run `clusterprint image BLUEPRINT --submit`, and commit the lock file",
        )


@rule("RAY060", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_lock_of_other_registry(build: RayImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The lock file names an image in another registry than the cluster's own.

    The image is built into the registry that the blueprint creates. One from anywhere else was not built from
    this blueprint; or the project, the region or the name has changed since.

    Restore the file from version control, or remove it and build the image again.
    """
    file, image = names.image_lock(context.blueprint.name), image_name(context.blueprint, RAY)
    yield from _image_locks.of_other(file, image, "cluster", context.at_key(build), context)
