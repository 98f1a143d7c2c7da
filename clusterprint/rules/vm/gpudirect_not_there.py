from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import cooperation, node_system
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM101", severity=Severity.ERROR, source="Google Cloud: install NCCL/gIB", firm=True)
def gpudirect_not_there(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Google's NCCL plug-in for RoCE is set for machines without RoCE.

    The plug-in drives the RDMA interfaces of A3 Ultra, A4 and A4X. On other machines it finds none, and NCCL
    ends with an error. What A3 High and A3 Mega use instead is for Container-Optimized OS.

    Remove `gpudirect: true`.
    """
    if not given(nodes.gpudirect) or not nodes.gpudirect:
        return
    if cooperation.has_receiver(nodes) and node_system.system(nodes) == "cos":
        return
    if machine(nodes.machine_type) and not cooperation.has_roce(nodes):
        yield Finding(
            f"{nodes.machine_type} has no RDMA interfaces for NCCL's plug-in for RoCE",
            context.at(nodes, "gpudirect"),
            also=(context.at(nodes, "machine_type", text="the machine type"),),
            help="remove gpudirect",
        )
