from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ007", severity=Severity.ERROR, source="Terraform: azurerm_linux_virtual_machine_scale_set, plan")
def image_plan_without_image(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """`image_has_plan` is set, but no marketplace image is named.

    Plans belong to images of the marketplace, whose publisher, offer and SKU they repeat. Default images have
    none.

    Name the image with `image`, or remove `image_has_plan`.
    """
    if nodes.image_has_plan and nodes.image is UNSET:
        yield Finding(
            "image_has_plan is set, but no marketplace image is named",
            context.at_key(nodes, "image_has_plan"),
            help="add image: publisher:offer:sku:version, or remove image_has_plan",
        )
