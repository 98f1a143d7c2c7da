from clusterprint.blueprint.networks import AllowedRange, GoogleNetwork
from clusterprint.rules import _listed_ranges
from clusterprint.rules.google._own_ranges import own_ranges, ranges_let_in
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP081", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def cidr_with_host_bits(part: GoogleNetwork | AllowedRange, context: Context) -> Iterator[Finding]:
    """A range is not written as a network: bits after the prefix are set.

    10.0.0.5/16 may mean the one address 10.0.0.5, or all of 10.0.0.0/16: an opened firewall may be 65,536
    times as wide as was meant.

    Write the first address of the range, or /32 for a single address.
    """
    let_in = ((each.text, each.place) for each in ranges_let_in(part, context))
    yield from _listed_ranges.with_host_bits(let_in, single=True)
    if isinstance(part, GoogleNetwork):
        own = ((each.text, each.place) for each in own_ranges(part, context))
        yield from _listed_ranges.with_host_bits(own, single=False)
