from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_groups, node_system
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "VM241",
    severity=Severity.ERROR,
    source="NVIDIA: confidential computing, deployment guide (GPU ready state)",
)
def confidential_gpus_without_setup(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The GPUs of confidential machines would never accept work.

    A GPU in confidential mode refuses everything until a program on the machine marks it ready, after each
    start. That is set up on Linux with packages; Container-Optimized OS and Windows are not.

    Leave the image out, use one of Ubuntu, or remove `confidential`.
    """
    if not given(nodes.confidential) or not node_groups.has_gpus(nodes) or node_system.takes_packages(nodes):
        return
    yield Finding(
        "nothing marks the GPUs of confidential machines ready on this image",
        context.at_key(nodes, "image"),
        also=(context.at(nodes, "confidential", text="confidential"),),
        help="remove image, or use one of Ubuntu",
    )
