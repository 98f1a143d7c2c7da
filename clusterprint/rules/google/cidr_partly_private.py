from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.rules import _ranges
from clusterprint.rules.google._own_ranges import own_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GCP084", severity=Severity.ERROR, source="Google Cloud VPC: limitations of IPv4 subnet ranges", firm=True
)
def cidr_partly_private(network: GoogleNetwork, context: Context) -> Iterator[Finding]:
    """A range of the cluster is partly private and partly public.

    Google refuses subnets that reach across the border of a private range, such as 172.0.0.0/10, which
    contains 172.16.0.0/12.

    Choose a range that lies wholly inside or wholly outside the private ranges.
    """
    public = network.allow_public_cidr
    for _, text, place in own_ranges(network, context):
        cidr = _ranges.read(text)
        if cidr is None or not public or _ranges.is_private(cidr) or _ranges.reserved(cidr):
            continue
        inside = next((each for each in _ranges.PRIVATE if each.overlaps(cidr)), None)
        if inside:
            yield Finding(
                f"{cidr} contains the private range {inside}, and public addresses around it",
                place,
                help="choose a range that lies wholly inside or wholly outside the private ranges",
            )
