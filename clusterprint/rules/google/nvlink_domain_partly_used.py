from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.google._machine_count import most_machines
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
