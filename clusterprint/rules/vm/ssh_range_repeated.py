from collections.abc import Iterator
from ipaddress import IPv4Network

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM040", severity=Severity.WARNING, source="Google Cloud: VPC firewall rules")
def ssh_range_repeated(network: Network, context: Context) -> Iterator[Finding]:
    """A range that may open SSH connections is listed twice, or lies inside another one.

    It does nothing, and removing it would close nothing, which is surprising when it matters.

    Keep the one that is meant.
    """
    ranges = [(index, _ranges.read(text)) for index, text in values(network, "ssh_source_ranges")]
    readable = [(index, cidr) for index, cidr in ranges if cidr]
    for index, cidr in readable:
        around = _around(index, cidr, readable)
        if around is not None:
            position, outer = around
            same = cidr == outer
            text = "first listed here" if same else "contains it"
            yield Finding(
                f"{cidr} is listed twice" if same else f"{cidr} lies inside {outer}",
                context.at(network, "ssh_source_ranges", index),
                also=(context.at(network, "ssh_source_ranges", position, text=text),),
                help="keep the one that is meant",
            )


def _around(
    index: int, cidr: IPv4Network, readable: list[tuple[int, IPv4Network]]
) -> tuple[int, IPv4Network] | None:
    """Another range that contains this one; of two equal ones, the first contains the second."""
    for position, other in readable:
        if position != index and cidr.subnet_of(other) and (cidr != other or position < index):
            return position, other
    return None
