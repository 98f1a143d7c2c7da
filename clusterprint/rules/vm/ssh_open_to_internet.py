from clusterprint.blueprint.vm_network import Network
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vm import _ssh_ranges


@rule("VM039", severity=Severity.WARNING, source="Google Cloud: using IAP for TCP forwarding")
def ssh_open_to_internet(network: Network, context: Context) -> Iterator[Finding]:
    """SSH is open to the whole internet, or to a large part of it.

    Open SSH ports are found within minutes, and attacked day and night.

    Leave `ssh_source_ranges` out: connections then come through Identity-Aware Proxy, which checks each
    person's IAM rights, from wherever they are. Or name the ranges of your own network.
    """
    if network.existing is not UNSET:
        return  # another rule says that this does nothing
    yield from _listed_ranges.open_to_internet(
        _ssh_ranges.ssh_ranges(network, context),
        "SSH",
        help="remove ssh_source_ranges to use Identity-Aware Proxy, or name your own network",
    )
