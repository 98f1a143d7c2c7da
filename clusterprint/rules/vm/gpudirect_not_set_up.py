from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import cooperation, node_system
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# Projects whose images are known to have nothing of it. In others there may be everything.
_WITHOUT = (
    "cos-cloud",
    "debian-cloud",
    "rocky-linux-cloud",
    "ubuntu-os-accelerator-images",
    "ubuntu-os-cloud",
)


@rule("VM126", severity=Severity.WARNING, source="Google Cloud: networking and GPU machines")
def gpudirect_not_set_up(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Nodes of A3 High or A3 Mega work together without GPUDirect.

    GPUDirect-TCPX (A3 High) and GPUDirect-TCPXO (A3 Mega) need a plug-in for NCCL, and a daemon that receives
    for the GPUs. clusterprint sets both up on Container-Optimized OS, together with a `driver`. Without them
    NCCL uses the first network card alone, with a fraction of the bandwidth, and without a warning.

    Use `image: {project: cos-cloud, family: cos-121-lts}` and a `driver`, or an image of your own that has
    the plug-in and runs the daemon.
    """
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
