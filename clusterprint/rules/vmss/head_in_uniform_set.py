from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived.scale_sets import is_uniform
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ020", severity=Severity.ERROR, source="Terraform: azurerm_linux_virtual_machine", firm=True)
def head_in_uniform_set(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """The head is set to be a member of a uniform scale set.

    The instances of a uniform set are alike: none of them has an address of its own, or anything else that
    the others do not have. A machine of its own can join a flexible set.

    Remove `in_scale_set`, or write `orchestration: flexible`.
    """
    if blueprint.head_node.in_scale_set and is_uniform(blueprint.nodes):
        yield Finding(
            "the head cannot be a member of a uniform scale set",
            context.at(blueprint.head_node, "in_scale_set"),
            also=(context.at(blueprint.nodes, "size", text="its nodes"),),
            help="remove in_scale_set, or write orchestration: flexible",
        )
