from collections.abc import Iterator

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM035", severity=Severity.WARNING, source="Google Cloud VPC: valid IPv4 subnet ranges")
def class_e_cidr(network: Network, context: Context) -> Iterator[Finding]:
    """The cluster's range lies in 240.0.0.0/4 (class E), which not every system can use.

    Google Cloud allows these addresses, but some operating systems, and many routers outside Google
    Cloud, refuse them.

    Use another private range, unless the image and everything that the nodes talk to is known to work.
    """
    cidr = _ranges.read(network.cidr)
    if cidr and cidr.subnet_of(_ranges.CLASS_E) and not _ranges.reserved(cidr):
        yield Finding(
            f"{cidr} lies in {_ranges.CLASS_E}, which some operating systems and routers refuse",
            context.at(network, "cidr"),
            help="use a part of 10.0.0.0/8 if there is one left",
        )
