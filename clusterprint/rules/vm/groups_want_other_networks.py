from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("VM083", severity=Severity.ERROR, firm=True)
def groups_want_other_networks(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    look = known(node_groups.groups(blueprint), lambda each: catalog.machine(each.machine_type))
    wanting = [(group, found) for group, found in look if found and found.network.nics > 1]
    for group, found in wanting[1:]:
        other, first = wanting[0]
        wanted = node_groups.disagreement(first.network, found.network)
        if wanted:
            yield Finding(
                f"{first.name} and {found.name} need different GPU networks: {wanted}",
                context.at(group, "machine_type"),
                also=(context.at(other, "machine_type", text="the other machine type"),),
                help="make a cluster for each",
            )
