from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

MOST = 600


@rule("AZ016", severity=Severity.ERROR, source="Azure: working with large virtual machine scale sets")
def too_many_of_own_image(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """More machines start from a managed image than Azure allows.

    From a managed image a scale set starts at most 600 machines; from images of the marketplace and of a
    gallery it starts 1000.

    Put the image into a gallery, or use fewer nodes.
    """
    if nodes.image_id is UNSET or "/galleries/" in nodes.image_id or nodes.count <= MOST:
        return
    yield Finding(
        f"{nodes.count} nodes are more than the {MOST} that start from a managed image",
        context.at(nodes, "count"),
        also=(context.at(nodes, "image_id", text="the image"),),
        help="put the image into a gallery, or use fewer nodes",
    )
