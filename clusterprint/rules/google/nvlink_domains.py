from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.google._machine_count import most_machines
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP046", severity=Severity.ERROR)
def more_nodes_than_nvlink_domain(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    found = machine(nodes.machine_type)
    if found is None or found.max_group_size is None:
        return
    number = most_machines(nodes, context)
    if number.value <= found.max_group_size:
        return
    yield Finding(
        f"{number.value} nodes do not fit into one group of {found.name}, which holds {found.max_group_size}",
        number.place,
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help=f"write {number.key}: {found.max_group_size}, and make another group for other domains",
    )


@rule("GCP047", severity=Severity.WARNING)
def nvlink_domain_partly_used(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    found = machine(nodes.machine_type)
    if found is None or found.max_group_size is None:
        return
    number = most_machines(nodes, context)
    if not 0 < number.value < found.max_group_size:
        return
    yield Finding(
        f"the cluster uses {number.value} of the {found.max_group_size} nodes of its NVLink domain",
        number.place,
        help=f"write {number.key}: {found.max_group_size} to use the whole domain",
    )
