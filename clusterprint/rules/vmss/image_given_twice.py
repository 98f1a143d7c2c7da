from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "AZ004", severity=Severity.ERROR, source="Terraform: azurerm_linux_virtual_machine_scale_set", firm=True
)
def image_given_twice(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """The nodes have both a marketplace image and one of your own.

    A machine starts from one image.

    Keep either `image` or `image_id`.
    """
    if nodes.image is not UNSET and nodes.image_id is not UNSET:
        yield Finding(
            "the nodes have a marketplace image and one of your own",
            context.at_key(nodes, "image_id"),
            also=(context.at_key(nodes, "image", text="the marketplace image"),),
            help="keep one of the two",
        )
