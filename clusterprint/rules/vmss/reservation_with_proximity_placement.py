from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "AZ013", severity=Severity.ERROR, source="Terraform: azurerm_linux_virtual_machine_scale_set", firm=True
)
def reservation_with_proximity_placement(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """Machines from a capacity reservation have a proximity placement group.

    Reserved machines have their places already; Azure refuses the two together.

    Remove `proximity_placement`, or choose another capacity model.
    """
    if nodes.capacity.model == "reservation" and nodes.proximity_placement:
        yield Finding(
            "a capacity reservation and a proximity placement group cannot be combined",
            context.at(nodes, "proximity_placement"),
            also=(context.at(nodes.capacity, "model", text="the reservation"),),
            help="remove proximity_placement",
        )
