from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# The first series that calendar mode is offered for; TPUs are not built as machines.
_OFFERED = ("a3-", "a4")


@rule("VM212", severity=Severity.WARNING, source="Compute Engine API: Reservation, reservationMode")
def calendar_of_other_machines(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """`calendar` is set, but calendar mode is not offered for the machines of the nodes.

    In 2026 Google offers calendar mode for GPUs from A3 on and for TPUs. With another reservation the nodes
    would be deleted with it all the same.

    Remove `calendar`, or ignore this warning if you know better.
    """
    found = machine(nodes.machine_type)
    if not nodes.capacity.calendar or nodes.capacity.model != "reservation" or found is None:
        return
    if not found.series.startswith(_OFFERED):
        yield Finding(
            f"calendar mode is not known to be offered for {nodes.machine_type}",
            context.at(nodes.capacity, "calendar"),
            also=(context.at(nodes, "machine_type", text="the machine type"),),
            help="remove calendar",
        )
