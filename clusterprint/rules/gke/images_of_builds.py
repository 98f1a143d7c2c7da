from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.derived import names
from clusterprint.derived.builds import build_machine
from clusterprint.image.inputs import image_name
from clusterprint.rules import _image_locks
from clusterprint.rules._image_locks import is_stale
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


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


@rule("GKE386", severity=Severity.ERROR, firm=True)
def builds_on_unlike_machines(blueprint: GkeBlueprint, context: Context) -> Iterator[Finding]:
    private = [
        each for each, pool in known(blueprint.image_builds, lambda each: each.pool) if pool == "private"
    ]
    for build, machines in known(private, lambda each: (build_machine(each), each.disk_size_gb)):
        first = private[0]
        if machines != (build_machine(first), first.disk_size_gb):
            field = "disk_size_gb" if machines[0] == build_machine(first) else "machine_type"
            yield Finding(
                f"images {first.name} and {build.name} need different machines in one build pool",
                context.at(build, field),
                also=(context.at(first, field, text="the machines of the pool"),),
                help="write the same machine_type and disk_size_gb, or pool: default",
            )
