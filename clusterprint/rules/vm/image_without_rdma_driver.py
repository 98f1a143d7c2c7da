from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_images
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM210", severity=Severity.WARNING, source="Google Cloud: create an HPC-ready VM instance")
def image_without_rdma_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The image has no driver for the RDMA interface of the machines.

    H4D machines talk to each other by RDMA over an interface of their own (Falcon, IRDMA). The HPC VM image
    has the driver of Cloud RDMA, images of the plain distributions do not. Without it nodes have the ordinary
    interface only, and those that are to run MPI do not become ready.

    Leave the image out, or build one that has the driver.
    """
    image, found = nodes.image, catalog.machine(nodes.machine_type)
    if image is UNSET or found is None or found.network.rdma_nic != "IRDMA":
        return
    fits = node_images.default_image(nodes)
    if image.project == fits.project or image.project not in cooperation.PUBLIC_PROJECTS:
        return
    yield Finding(
        f"images of {image.project} have no driver for the RDMA interface of {found.name}",
        context.at(image, "project"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help=f"leave image out, for the family {fits.family} of {fits.project}",
    )
