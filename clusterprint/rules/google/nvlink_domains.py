from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.google._machine_count import most_machines
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP046", severity=Severity.ERROR, source="Google Cloud: create a managed instance group with A4X")
def more_nodes_than_nvlink_domain(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """There are more nodes than one group of this machine type can hold.

    A4X machines are joined to NVLink domains of 18, and a managed instance group is in one domain.

    Make one node pool, or one blueprint, for each domain.
    """
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


@rule("GCP047", severity=Severity.WARNING, source="Google Cloud: create a managed instance group with A4X")
def nvlink_domain_partly_used(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """The cluster uses only a part of its NVLink domain; the rest stays idle.

    A4X machines are joined to NVLink domains of 18. A domain is reserved as a whole: you also pay for the
    part that the cluster does not use.

    Use the whole domain, or ignore this warning while you need less.
    """
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
