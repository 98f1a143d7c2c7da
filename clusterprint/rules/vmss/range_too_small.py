from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_ranges
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.rules.vmss._written import network_range, readable_range
from clusterprint.words import counted


@rule("AZ032", severity=Severity.ERROR, source="Azure: virtual network FAQ", firm=True)
def range_too_small(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """The subnet of the machines has too few addresses for the nodes and the head.

    Half of the network is the machines' subnet. Azure keeps five addresses of every subnet, and makes
    none smaller than a /29; Bastion takes a /26 of the other half.

    Use a larger range (a smaller number after the slash), or fewer nodes.
    """
    nodes, network = blueprint.nodes, blueprint.network
    cidr = readable_range(network)
    if cidr is None:
        return
    created = network.existing is UNSET
    longest = azure_ranges.longest_prefix_for(nodes.count + 1) - (1 if created else 0)
    needs = f"{counted(nodes.count, 'node')} and the head"
    if created and network.bastion and longest >= azure_ranges.BASTION_PREFIX:
        longest = azure_ranges.BASTION_PREFIX - 1
        needs = f"{needs}, and Bastion"
    if cidr.prefixlen > longest:
        yield Finding(
            f"{cidr} is too small for {needs}",
            network_range(network, context)[1],
            also=(context.at(nodes, "count", text="the nodes"),) if context.wrote(nodes, "count") else (),
            help=f"use a /{longest} or larger",
        )
