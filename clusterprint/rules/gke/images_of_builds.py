from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.derived import names
from clusterprint.image.inputs import image_name
from clusterprint.rules import _image_locks
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE384", severity=Severity.ERROR, firm=True)
def image_of_build_lock_unfit(build: NamedImageBuild, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    file, place = names.build_lock(context.blueprint.name, build.name), context.at(build, "name")
    yield from _image_locks.damaged(file, place, context)
    yield from _image_locks.of_other(file, image_name(context.blueprint, build.name), "build", place, context)


@rule("GKE385", severity=Severity.WARNING)
def image_of_build_stale(build: NamedImageBuild, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    name = names.build_lock(context.blueprint.name, build.name)
    if is_stale(build, context, name):
        yield Finding(
            f"the image in {name} was built before its sources changed",
            context.at(build, "name"),
            help=f"run `clusterprint image BLUEPRINT --submit --name {build.name}`, and commit the lock file",
        )
