from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import ssh_ranges


@rule("AZ023", severity=Severity.WARNING, source="Azure: network security groups, default rules")
def ssh_ranges_reach_nothing(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """SSH is opened to public addresses, but no machine has an address that could be reached from there.

    Without a public address of the head, and without forwarded ports, the rule is there and does nothing.

    Write `public_ip: true`, or remove the range and use Bastion.
    """
    network = blueprint.network
    if blueprint.head_node.public_ip or network.inbound_nat is not UNSET:
        return
    for text, place in ssh_ranges(blueprint, context):
        cidr = _ranges.read(text)
        if cidr is not None and not _ranges.is_private(cidr):
            yield Finding(
                f"{text} may open SSH connections, but no machine has a public address to reach",
                place,
                help="write public_ip: true, or remove the range and use network: {bastion: true}",
            )
