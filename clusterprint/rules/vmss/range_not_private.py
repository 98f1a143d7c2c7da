from ipaddress import IPv4Network

from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import readable_range
from clusterprint.rules.vmss._reserved import reserved

_PRIVATE = tuple(
    IPv4Network(each) for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
)


@rule("AZ034", severity=Severity.WARNING, source="Azure: virtual network FAQ")
def range_not_private(network: VmssNetwork, context: Context) -> Iterator[Finding]:
    """The network's range is not private: these addresses belong to others on the internet.

    Machines could not reach the real owners of these addresses, which is only noticed when they try.

    Use a range inside 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10.
    """
    cidr = readable_range(network)
    if cidr is None or network.existing is not UNSET or reserved(cidr):
        return
    if any(cidr.subnet_of(each) for each in _PRIVATE):
        return
    yield Finding(
        f"{cidr} is not inside a private range",
        context.at(network, "cidr"),
        help="use a part of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10",
    )
