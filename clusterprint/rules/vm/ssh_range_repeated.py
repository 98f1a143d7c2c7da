from collections.abc import Iterator

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
    for one, other in _ranges.repeated([cidr for _, cidr in readable]):
        (index, cidr), (position, outer) = readable[one], readable[other]
        same = cidr == outer
        text = "first listed here" if same else "contains it"
        yield Finding(
            f"{cidr} is listed twice" if same else f"{cidr} lies inside {outer}",
            context.at(network, "ssh_source_ranges", index),
            also=(context.at(network, "ssh_source_ranges", position, text=text),),
            help="keep the one that is meant",
        )
