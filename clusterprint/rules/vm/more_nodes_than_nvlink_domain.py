from collections.abc import Iterator

from clusterprint.blueprint.vm import VmNodes
from clusterprint.catalog import machine
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM016", severity=Severity.ERROR, source="Google Cloud: create a managed instance group with A4X")
def more_nodes_than_nvlink_domain(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """There are more nodes than one group of this machine type can hold.

    A4X machines are joined to NVLink domains of 18, and a managed instance group lies in one domain.

    Write one blueprint for each domain.
    """
    found = machine(nodes.machine_type)
    if found is None or found.max_group_size is None or nodes.count <= found.max_group_size:
        return
    yield Finding(
        f"{nodes.count} nodes do not fit into one group of {found.name}, which holds {found.max_group_size}",
        context.at(nodes, "count"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help=f"write a count of at most {found.max_group_size}, and one blueprint for each group",
    )
