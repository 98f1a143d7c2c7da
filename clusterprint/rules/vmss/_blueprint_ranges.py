"""Ranges that a blueprint about a scale set gives, with the places that they stand at."""

from ipaddress import IPv4Network

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.diagnostic import Label
from clusterprint.rules import _ranges
from clusterprint.rules.kit import UNSET, Context, Iterator, known, values


def ssh_ranges(blueprint: VmssBlueprint, context: Context) -> Iterator[tuple[str, Label]]:
    """Who may open SSH connections."""
    for head, _ in known([blueprint.head_node], lambda head: head.ssh_source_ranges):
        for index, cidr in values(head, "ssh_source_ranges"):
            yield cidr, context.at(head, "ssh_source_ranges", index)


def network_range(network: VmssNetwork, context: Context) -> tuple[str, Label]:
    """The range of the network, or of the existing subnet that is used instead."""
    if network.existing is not UNSET:
        return network.existing.cidr, context.at(network.existing, "cidr")
    return network.cidr, context.at(network, "cidr")


def readable_range(network: VmssNetwork) -> IPv4Network | None:
    """The same range, if it is one; other rules speak about those that are none."""
    cidr = network.cidr if network.existing is UNSET else network.existing.cidr
    return _ranges.read(cidr)
