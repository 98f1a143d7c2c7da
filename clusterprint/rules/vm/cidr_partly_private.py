from collections.abc import Iterator

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "VM034", severity=Severity.ERROR, source="Google Cloud VPC: limitations of IPv4 subnet ranges", firm=True
)
def cidr_partly_private(network: Network, context: Context) -> Iterator[Finding]:
    """The cluster's range is partly private and partly public.

    Google refuses subnets that reach across the border of a private range, such as 172.0.0.0/10, which
    contains 172.16.0.0/12.

    Choose a range that lies wholly inside or wholly outside the private ranges.
    """
    cidr = _ranges.read(network.cidr)
    if cidr is None or not network.allow_public_cidr or _ranges.is_private(cidr) or _ranges.reserved(cidr):
        return
    inside = next((each for each in _ranges.PRIVATE if each.overlaps(cidr)), None)
    if inside:
        yield Finding(
            f"{cidr} contains the private range {inside}, and public addresses around it",
            context.at(network, "cidr"),
            help="choose a range that lies wholly inside or wholly outside the private ranges",
        )
