from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import size_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ003", severity=Severity.ERROR, source="Azure HPC VM images: README", firm=True)
def image_missing(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """No image is named, and there is none that is known to fit the size.

    The driver in an image belongs to a family of GPUs, and the image to a processor architecture. For
    sizes that the catalog has no image for, nothing can be guessed.

    Name a marketplace image with `image`, or one of your own with `image_id`.
    """
    if nodes.image is not UNSET or nodes.image_id is not UNSET:
        return
    size = size_of(nodes)
    if size is None or not size.images:
        yield Finding(
            f"no image is known for size {nodes.size}",
            context.at(nodes, "size"),
            help="add image: publisher:offer:sku:version, or image_id with the id of your own image",
        )
