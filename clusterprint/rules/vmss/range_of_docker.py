from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.rules import _ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import network_range, readable_range


@rule("AZ035", severity=Severity.WARNING, source="Docker: default bridge network")
def range_of_docker(network: VmssNetwork, context: Context) -> Iterator[Finding]:
    """The network's range overlaps 172.17.0.0/16, which Docker uses inside each machine.

    The HPC images come with Docker. Packets for another machine with such an address end in Docker's own
    network.

    Use another range.
    """
    cidr = readable_range(network)
    if cidr and cidr.overlaps(_ranges.DOCKER):
        yield Finding(
            f"{cidr} overlaps {_ranges.DOCKER}, which Docker uses inside each machine",
            network_range(network, context)[1],
            help="use another range, for example 10.0.0.0/16",
        )
