from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_system
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM187", severity=Severity.ERROR, source="clusterprint: docs/nodes-vm.md", firm=True)
def image_build_on_other_system(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """An image cannot be built on this operating system.

    What goes into an image is set up by scripts for Linux with packages. On Windows they do not run, and
    Container-Optimized OS has no packages and is reset by each reboot.

    Use an image of Ubuntu, Debian or Rocky Linux, or leave `image_build` out.
    """
    if nodes.image_build is UNSET or nodes.image is UNSET or node_system.takes_packages(nodes):
        return
    system = node_system.unsuitable(nodes) or "Container-Optimized OS"
    yield Finding(
        f"no image can be built on top of {system}",
        context.at_key(nodes, "image_build"),
        also=(context.at(nodes.image, "project", text="the image"),),
        help="use an image of Ubuntu, Debian or Rocky Linux, or remove image_build",
    )
