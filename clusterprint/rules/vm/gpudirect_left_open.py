from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_system
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM104", severity=Severity.NOTE, source="Google Cloud: install NCCL/gIB")
def gpudirect_left_open(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Machines with RoCE have an image of your own, and `gpudirect` is not set.

    Without the plug-in NCCL uses the slow path between nodes. The default image gets it; an image of your own
    may have it already, or have a system that its package is not for, so nothing is installed unasked.

    Write `gpudirect: true` to have it installed, or `gpudirect: false` if the image has it.
    """
    if nodes.gpudirect is not UNSET or nodes.image is UNSET or not node_system.takes_packages(nodes):
        return
    if cooperation.has_roce(nodes) and not cooperation.gpudirect(nodes):
        yield Finding(
            f"NCCL's plug-in for RoCE is not installed on images of {nodes.image.project} unless asked for",
            context.at(nodes.image, "project"),
            also=(context.at(nodes, "machine_type", text="machines with RoCE between GPUs"),),
            help="write gpudirect: true, or gpudirect: false if the image has it",
        )
