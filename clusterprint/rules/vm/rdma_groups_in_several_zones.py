from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import NodeGroup
from clusterprint.derived import node_groups
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("VM084", severity=Severity.ERROR, firm=True)
def rdma_groups_in_several_zones(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    look = known(
        blueprint.node_groups,
        lambda each: (each.name, catalog.machine(each.machine_type), node_groups.zone(blueprint, each)),
    )
    first: tuple[NodeGroup, str] | None = None
    for group, (name, found, zone) in look:
        if found is None or not found.network.rdma_vpcs:
            continue
        first = first or (group, zone)
        if zone != first[1]:
            yield Finding(
                f"group {name} has RDMA in {zone}, and group {first[0].name} in {first[1]}",
                context.at(group, "zone" if context.wrote(group, "zone") else "machine_type"),
                also=(context.at(first[0], "name", text="the other group"),),
                help="put them into one zone, or make a cluster for each",
            )
