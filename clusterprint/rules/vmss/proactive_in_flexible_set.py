from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import is_uniform
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ019", severity=Severity.WARNING, source="Terraform: azurerm provider, features block")
def proactive_in_flexible_set(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """`update: proactive` is set for a flexible scale set, where it does nothing.

    The provider rolls over the instances of uniform sets only. In a flexible set a changed image or script
    reaches new nodes, and running ones keep the old.

    Remove `update`, and delete nodes that should be recreated; or write `orchestration: uniform`.
    """
    if nodes.update == "proactive" and not is_uniform(nodes):
        yield Finding(
            "update: proactive does nothing in a flexible scale set",
            context.at(nodes, "update"),
            help="remove update, or write orchestration: uniform",
        )
