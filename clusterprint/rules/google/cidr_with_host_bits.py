from collections.abc import Iterator

from clusterprint.blueprint.networks import AllowedRange, GoogleNetwork
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.google._own_ranges import Written, own_ranges, ranges_let_in
from clusterprint.rules.rule import Finding, rule


@rule("GCP081", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def cidr_with_host_bits(part: GoogleNetwork | AllowedRange, context: Context) -> Iterator[Finding]:
    """A range is not written as a network: bits behind the prefix are set.

    10.0.0.5/16 may mean the one address 10.0.0.5, or all of 10.0.0.0/16: an opened firewall may be 65,536
    times as wide as was meant.

    Write the first address of the range, or /32 for a single address.
    """
    for each in ranges_let_in(part, context):
        yield from _compare(each, f", or {each.text.partition('/')[0]}/32 for this one address")
    if isinstance(part, GoogleNetwork):
        for each in own_ranges(part, context):
            yield from _compare(each, "")


def _compare(written: Written, alternative: str) -> Iterator[Finding]:
    whole = _ranges.read(written.text)
    if whole is not None and not _ranges.is_canonical(written.text):
        yield Finding(
            f"{written.text} is an address inside a range, not a range",
            written.place,
            help=f"write {whole}{alternative}",
        )
