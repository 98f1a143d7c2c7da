from collections.abc import Iterator

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
            yield Finding(
                f"{cidr} is not a range: {_ranges.fault(cidr)}", place, help="for example 10.0.0.0/16"
            )


def _written(network: Network, context: Context) -> Iterator[tuple[str, Label]]:
    for index, cidr in values(network, "ssh_source_ranges"):
        yield cidr, context.at(network, "ssh_source_ranges", index)
    # Last: it ends the rule where the schema has reported it.
    yield network.cidr, context.at(network, "cidr")
