from collections.abc import Iterator
from ipaddress import AddressValueError, IPv4Address

from clusterprint.blueprint.vm import Network
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM030", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def invalid_cidr(network: Network, context: Context) -> Iterator[Finding]:
    """A range has the form of a CIDR, but its numbers are out of bounds.

    Each of the four numbers of an address goes from 0 to 255, and has no zero in front, which some
    programs read as octal; the length of the prefix goes from 0 to 32.

    Correct the number.
    """
    for cidr, place in _written(network, context):
        if _ranges.read(cidr) is None:
            yield Finding(f"{cidr} is not a range: {_fault(cidr)}", place, help="for example 10.0.0.0/16")


def _written(network: Network, context: Context) -> Iterator[tuple[str, Label]]:
    for index, cidr in values(network, "ssh_source_ranges"):
        yield cidr, context.at(network, "ssh_source_ranges", index)
    # Last: it ends the rule where the schema has reported it.
    yield network.cidr, context.at(network, "cidr")


def _fault(cidr: str) -> str:
    address, _, prefix = cidr.partition("/")
    try:
        IPv4Address(address)
    except AddressValueError:
        large = next((part for part in address.split(".") if int(part) > 255), "")  # noqa: PLR2004 - an octet
        return f"{large} is more than 255" if large else f"{address} has a number with a zero in front"
    return f"/{prefix} has a zero in front" if prefix.startswith("0") else f"/{prefix} is more than /32"
