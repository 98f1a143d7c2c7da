from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ021", severity=Severity.WARNING, source="Azure: network security groups, default rules")
def head_out_of_reach(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """Nobody can reach the head from outside: SSH is opened to no range, and there is no Bastion.

    What is not opened is closed. The cluster comes up, and nobody gets in.

    List who may connect under `head_node.ssh_source_ranges`, or write `network.bastion: true`. An existing
    network may have a way in of its own.
    """
    head, network = blueprint.head_node, blueprint.network
    if head.ssh_source_ranges or network.bastion or network.existing is not UNSET:
        return
    yield Finding(
        "SSH to the head is open to nobody, and there is no Bastion",
        context.at(blueprint, "head_node" if context.wrote(blueprint, "head_node") else "name"),
        help="add head_node: {ssh_source_ranges: [YOUR.NETWORK/24]}, or network: {bastion: true}",
    )
