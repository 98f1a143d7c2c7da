from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived.builds import build_machine
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


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
