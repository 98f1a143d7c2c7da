from itertools import chain

from clusterprint.blueprint.networks import AllowedRange, GoogleNetwork
from clusterprint.rules import _listed_ranges
from clusterprint.rules.google._own_ranges import own_ranges, ranges_let_in
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP080", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def invalid_cidr(part: GoogleNetwork | AllowedRange, context: Context) -> Iterator[Finding]:
    """A range has the form of a CIDR, but its numbers are out of bounds.

    Each of the four numbers of an address goes from 0 to 255, and has no leading zero, which some programs
    read as octal; the length of the prefix goes from 0 to 32.

    Correct the number.
    """
    own = own_ranges(part, context) if isinstance(part, GoogleNetwork) else ()
    written = chain(ranges_let_in(part, context), own)
    yield from _listed_ranges.invalid((each.text, each.place) for each in written)
