from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.rules import _ranges
from clusterprint.rules.google._own_ranges import own_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP083", severity=Severity.ERROR, source="Google Cloud VPC: prohibited IPv4 subnet ranges", firm=True)
def cidr_reserved(network: GoogleNetwork, context: Context) -> Iterator[Finding]:
    """A range of the cluster overlaps reserved addresses.

    Some addresses have a fixed meaning for every machine, such as 127.0.0.1, or for Google Cloud. Google
    rejects subnets that overlap them.

    Choose another range, for example inside 10.0.0.0/8.
    """
    for _, text, place in own_ranges(network, context):
        cidr = _ranges.read(text)
        found = _ranges.reserved(cidr) if cidr else None
        if found:
            taken, purpose = found
            yield Finding(
                f"{cidr} overlaps {taken}, which is reserved for {purpose}",
                place,
                help="use a part of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10",
            )
