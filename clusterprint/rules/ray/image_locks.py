from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.image.inputs import RAY, image_name
from clusterprint.rules import _image_locks
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY023", severity=Severity.ERROR, firm=True)
def image_lock_not_readable(build: RayImageBuild, context: Context) -> Iterator[Finding]:
    file = names.image_lock(context.blueprint.name)
    yield from _image_locks.damaged(file, context.at_key(build), context)


@rule("RAY024", severity=Severity.WARNING)
def image_lock_stale(build: RayImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    name = names.image_lock(context.blueprint.name)
    if is_stale(build, context, name):
        yield Finding(
            f"the image in {name} was built before its sources changed",
            context.at_key(build),
            help="run `clusterprint image BLUEPRINT --submit`, and commit the lock file",
        )


@rule("RAY060", severity=Severity.ERROR, firm=True)
def image_lock_of_other_registry(build: RayImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    file, image = names.image_lock(context.blueprint.name), image_name(context.blueprint, RAY)
    yield from _image_locks.of_other(file, image, "cluster", context.at_key(build), context)
