from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.derived import names
from clusterprint.image.inputs import image_name
from clusterprint.rules import _image_locks
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE384", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_of_build_lock_unfit(build: NamedImageBuild, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The lock file of an image is damaged, or names an image in another registry.

    It says by digest which image jobs run. An image in another registry was not built from this blueprint; or
    the project, the region or the name has changed since. A link, a pipe or a file of more than 4 KiB is not
    even opened.

    Restore the file from version control, or remove it and build the image again.
    """
    file, place = names.build_lock(context.blueprint.name, build.name), context.at(build, "name")
    yield from _image_locks.damaged(file, place, context)
    yield from _image_locks.of_other(file, image_name(context.blueprint, build.name), "build", place, context)


@rule("GKE385", severity=Severity.WARNING, source="clusterprint: the lock file of an image")
def image_of_build_stale(build: NamedImageBuild, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """The sources of an image have changed since it was built.

    Jobs run the image of the lock file. What has changed since its build (the Dockerfile, packages, a file
    of the context) is not in it.

    Build the image again, and commit the lock file with the change.
    """
    name = names.build_lock(context.blueprint.name, build.name)
    if is_stale(build, context, name):
        yield Finding(
            f"the image in {name} was built before its sources changed",
            context.at(build, "name"),
            help=f"run `clusterprint image BLUEPRINT --submit --name {build.name}`, and commit the lock file",
        )
