from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import is_uniform
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "AZ018",
    severity=Severity.ERROR,
    source="Terraform: azurerm_orchestrated_virtual_machine_scale_set",
    firm=True,
)
def trusted_launch_in_flexible_set(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """Trusted launch is asked for in a flexible scale set, which the Terraform provider does not support.

    The provider's resource for flexible sets has no argument for the security type, so the machines would
    start without it, and nobody would notice.

    Write `orchestration: uniform`, or remove `security_type`.
    """
    if nodes.security_type == "trusted_launch" and not is_uniform(nodes):
        yield Finding(
            "the Terraform provider does not support trusted launch in a flexible scale set",
            context.at(nodes, "security_type"),
            help="write orchestration: uniform, or remove security_type",
        )
