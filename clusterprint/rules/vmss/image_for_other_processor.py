from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.catalog import azure_sizes
from clusterprint.derived.scale_sets import size_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ006", severity=Severity.ERROR, source="Azure: GPU accelerated virtual machine sizes")
def image_for_other_processor(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """The image is for another processor architecture than the size has.

    Machines with Grace processors are arm64; images for amd64, and most are, do not start on them, and
    the other way round.

    Name an image for the architecture of the size.
    """
    size = size_of(nodes)
    if nodes.image is UNSET or size is None:
        return
    other = {
        image for each in azure_sizes() if each.architecture != size.architecture for image in each.images
    }
    says_arm64 = any(word in nodes.image.lower() for word in ("arm64", "aarch64"))
    wrong = nodes.image in other if size.architecture == "arm64" else says_arm64
    if wrong:
        is_for = "amd64" if size.architecture == "arm64" else "arm64"
        yield Finding(
            f"image {nodes.image} is for {is_for}, but {nodes.size} is {size.architecture}",
            context.at(nodes, "image"),
            also=(context.at(nodes, "size", text=f"an {size.architecture} machine"),),
            help=f"name an image for {size.architecture}",
        )
