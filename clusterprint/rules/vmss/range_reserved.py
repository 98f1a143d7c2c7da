from collections.abc import Iterator
from ipaddress import IPv4Network

from clusterprint.blueprint.vmss import VmssNetwork
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.rules.vmss._written import network_range, readable_range

_RESERVED = {
    IPv4Network("127.0.0.0/8"): "the host itself",
    IPv4Network("168.63.129.16/32"): "Azure's own DNS and health probes",
    IPv4Network("169.254.0.0/16"): "link-local addresses, the metadata server among them",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("255.255.255.255/32"): "broadcast",
}


@rule("AZ033", severity=Severity.ERROR, source="Azure: virtual network FAQ", firm=True)
def range_reserved(network: VmssNetwork, context: Context) -> Iterator[Finding]:
    """The network's range touches addresses that no virtual network may have.

    Some addresses mean something to every machine, such as 127.0.0.1, or to Azure itself. Azure refuses
    networks that contain them.

    Choose another range, for example inside 10.0.0.0/8.
    """
    cidr = readable_range(network)
    found = next((each for each in _RESERVED.items() if cidr and cidr.overlaps(each[0])), None)
    if found:
        taken, purpose = found
        yield Finding(
            f"{cidr} overlaps {taken}, which is kept for {purpose}",
            network_range(network, context)[1],
            help="use a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16",
        )
