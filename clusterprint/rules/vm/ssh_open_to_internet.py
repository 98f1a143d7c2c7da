from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM039", severity=Severity.WARNING, source="Google Cloud: using IAP for TCP forwarding")
def ssh_open_to_internet(network: Network, context: Context) -> Iterator[Finding]:
    """SSH is open to the whole internet, or to a large part of it.

    Open SSH ports are found within minutes, and tried day and night.

    Leave `ssh_source_ranges` out: connections then come through Identity-Aware Proxy, which checks each
    person's IAM rights, from wherever they are. Or name the ranges of your own network.
    """
    if network.existing is not UNSET:
        return  # another rule says that this does nothing
    for index, text in values(network, "ssh_source_ranges"):
        # With bits behind the prefix, the prefix is likely the mistake, and has been reported.
        cidr = _ranges.read(text) if _ranges.is_canonical(text) else None
        if cidr and cidr.prefixlen < _ranges.SHORTEST_PLACE and not _ranges.is_private(cidr):
            whole = "the whole internet" if cidr.prefixlen == 0 else f"{cidr.num_addresses:,} addresses"
            yield Finding(
                f"{text} opens SSH to {whole}",
                context.at(network, "ssh_source_ranges", index),
                help="remove ssh_source_ranges to use Identity-Aware Proxy, or name your own network",
            )
