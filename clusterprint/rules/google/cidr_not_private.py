from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.rules import _ranges
from clusterprint.rules.google._own_ranges import own_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP082", severity=Severity.ERROR, source="Google Cloud VPC: valid IPv4 subnet ranges")
def cidr_not_private(network: GoogleNetwork, context: Context) -> Iterator[Finding]:
    """A range of the cluster is not private: these addresses belong to others on the internet.

    Nodes could not reach the real owners of these addresses, which is only noticed when they try.

    Use a range inside 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10. If public addresses are
    used privately on purpose, write `allow_public_cidr: true`.
    """
    public = network.allow_public_cidr
    for _, text, place in own_ranges(network, context):
        cidr = _ranges.read(text)
        if cidr is None or _ranges.is_private(cidr) or _ranges.reserved(cidr) or public:
            continue
        yield Finding(
            f"{cidr} is not inside a private range",
            place,
            help="use a part of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10",
        )
