from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
