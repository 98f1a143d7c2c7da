from collections.abc import Iterator

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM031", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def cidr_with_host_bits(network: Network, context: Context) -> Iterator[Finding]:
    """A range is not written as a network: bits behind the prefix are set.

    10.0.0.5/16 may mean the one address 10.0.0.5, or all of 10.0.0.0/16: an opened firewall may be 65,536
    times as wide as was meant.

    Write the first address of the range, or /32 for a single address.
    """
    for index, cidr in values(network, "ssh_source_ranges"):
        place = context.at(network, "ssh_source_ranges", index)
        yield from _compare(cidr, place, f", or {cidr.partition('/')[0]}/32 for this one address")
    yield from _compare(network.cidr, context.at(network, "cidr"), "")


def _compare(cidr: str, place: Label, alternative: str) -> Iterator[Finding]:
    whole = _ranges.read(cidr)
    if whole is not None and not _ranges.is_canonical(cidr):
        yield Finding(
            f"{cidr} is an address inside a range, not a range", place, help=f"write {whole}{alternative}"
        )
