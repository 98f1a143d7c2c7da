"""Ranges that a blueprint about machines gives, with the places that they stand at."""

from clusterprint.blueprint.vm_network import Network
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import Context, Iterator, values


def ssh_ranges(network: Network, context: Context) -> Iterator[tuple[str, Label]]:
    """Who may open SSH connections."""
    for index, cidr in values(network, "ssh_source_ranges"):
        yield cidr, context.at(network, "ssh_source_ranges", index)
