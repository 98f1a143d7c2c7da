from clusterprint.blueprint.vm_network import Network
from clusterprint.rules import _ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM036", severity=Severity.WARNING, source="Google Cloud VPC: limitations of IPv4 subnet ranges")
def cidr_of_docker(network: Network, context: Context) -> Iterator[Finding]:
    """The cluster's range overlaps 172.17.0.0/16, which Docker uses inside each node.

    With Docker on a node, packets for another node with such an address end in Docker's own network.

    Use another range.
    """
    cidr = _ranges.read(network.cidr)
    if cidr and _ranges.is_private(cidr) and cidr.overlaps(_ranges.DOCKER):
        yield Finding(
            f"{cidr} overlaps {_ranges.DOCKER}, which Docker uses inside each node",
            context.at(network, "cidr"),
            help="use another range, for example 172.20.0.0/16 or 10.0.0.0/16",
        )
