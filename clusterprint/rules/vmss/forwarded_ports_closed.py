from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ024", severity=Severity.WARNING, source="Azure: network security groups, default rules")
def forwarded_ports_closed(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A load balancer forwards ports to the nodes, but SSH is opened to nobody.

    What is not opened is closed: the load balancer forwards, and the nodes do not answer.

    List who may connect under `head_node.ssh_source_ranges`, or remove `inbound_nat`.
    """
    if blueprint.network.inbound_nat is not UNSET and not blueprint.head_node.ssh_source_ranges:
        yield Finding(
            "ports are forwarded to the nodes, but SSH is open to nobody",
            context.at_key(blueprint.network, "inbound_nat"),
            help="add head_node: {ssh_source_ranges: [YOUR.NETWORK/24]}, or remove inbound_nat",
        )
