from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.rules import _ranges
from clusterprint.rules.google._own_ranges import own_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP085", severity=Severity.WARNING, source="Google Cloud VPC: valid IPv4 subnet ranges")
def class_e_cidr(network: GoogleNetwork, context: Context) -> Iterator[Finding]:
    """A range of the cluster is in 240.0.0.0/4 (class E), which not every system can use.

    Google Cloud allows these addresses, but some operating systems, and many routers outside Google
    Cloud, refuse them.

    Use another private range, unless the image and everything that the nodes talk to is known to work.
    """
    for _, text, place in own_ranges(network, context):
        cidr = _ranges.read(text)
        if cidr and cidr.subnet_of(_ranges.CLASS_E) and not _ranges.reserved(cidr):
            yield Finding(
                f"{cidr} is in {_ranges.CLASS_E}, which some operating systems and routers refuse",
                place,
                help="use a part of 10.0.0.0/8 if one is free",
            )
