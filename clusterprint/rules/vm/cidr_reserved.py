from collections.abc import Iterator

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM033", severity=Severity.ERROR, source="Google Cloud VPC: prohibited IPv4 subnet ranges", firm=True)
def cidr_reserved(network: Network, context: Context) -> Iterator[Finding]:
    """The cluster's range touches addresses that no subnet may have.

    Some addresses mean something to every machine, such as 127.0.0.1, or to Google Cloud itself. Google
    refuses subnets that contain them or lie among them.

    Choose another range, for example inside 10.0.0.0/8.
    """
    cidr = _ranges.read(network.cidr)
    found = _ranges.reserved(cidr) if cidr else None
    if found:
        taken, purpose = found
        yield Finding(
            f"{cidr} overlaps {taken}, which is kept for {purpose}",
            context.at(network, "cidr"),
            help="use a part of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10",
        )
