from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import cooperation, node_system
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("VM101", severity=Severity.ERROR, firm=True)
def gpudirect_not_there(nodes: VmNodes, context: Context) -> Iterator[Finding]:
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


# Projects whose images are known to have nothing of it. In others there may be everything.
_WITHOUT = (
    "cos-cloud",
    "debian-cloud",
    "rocky-linux-cloud",
    "ubuntu-os-accelerator-images",
    "ubuntu-os-cloud",
)


@rule("VM126", severity=Severity.WARNING)
def gpudirect_not_set_up(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    found = machine(nodes.machine_type)
    if found is None or not cooperation.has_receiver(nodes) or nodes.count <= 1:
        return
    if nodes.gpudirect is False:
        return
    if nodes.image is not UNSET and nodes.image.project not in _WITHOUT:
        return
    if cooperation.gpudirect(nodes):
        return
    help_text = (
        "write image: {project: cos-cloud, family: cos-121-lts} and driver: 580, or use an image that has it"
    )
    yield Finding(
        f"nothing sets up GPUDirect-{found.network.gpudirect} on these {nodes.count} nodes, so NCCL uses one"
        f" network card of {1 + found.network.extra_vpcs}",
        context.at(nodes, "machine_type"),
        help="write driver: 580" if node_system.system(nodes) == "cos" else help_text,
    )
