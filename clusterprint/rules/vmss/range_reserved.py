from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import network_range, readable_range
from clusterprint.rules.vmss._reserved import reserved


@rule("AZ033", severity=Severity.ERROR, source="Azure: virtual network FAQ", firm=True)
def range_reserved(network: VmssNetwork, context: Context) -> Iterator[Finding]:
    """The network's range overlaps addresses that no virtual network may have.

    Some addresses have a fixed meaning for every machine, such as 127.0.0.1, or for Azure itself. Azure
    refuses networks that contain them.

    Choose another range, for example inside 10.0.0.0/8.
    """
    cidr = readable_range(network)
    found = reserved(cidr) if cidr else None
    if found:
        taken, purpose = found
        yield Finding(
            f"{cidr} overlaps {taken}, which is reserved for {purpose}",
            network_range(network, context)[1],
            help="use a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16",
        )
