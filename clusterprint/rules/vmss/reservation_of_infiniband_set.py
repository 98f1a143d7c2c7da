from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import has_infiniband, is_uniform
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "AZ012", severity=Severity.ERROR, source="Terraform: azurerm_linux_virtual_machine_scale_set", firm=True
)
def reservation_of_infiniband_set(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """Machines with InfiniBand in a uniform scale set have a capacity reservation.

    A capacity reservation needs several placement groups, InfiniBand needs a single one.

    Choose another capacity model, or a flexible set, for which Azure does not guarantee InfiniBand.
    """
    if nodes.capacity.model == "reservation" and has_infiniband(nodes) and is_uniform(nodes):
        yield Finding(
            f"{nodes.size} cannot have both InfiniBand and a capacity reservation in a uniform scale set",
            context.at(nodes.capacity, "model"),
            also=(context.at(nodes, "size", text="has InfiniBand"),),
            help="choose another capacity model, or orchestration: flexible",
        )
