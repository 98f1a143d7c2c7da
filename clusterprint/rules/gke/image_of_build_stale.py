from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.derived import names
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
