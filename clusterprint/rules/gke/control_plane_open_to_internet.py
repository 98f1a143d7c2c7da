from collections.abc import Iterator

from clusterprint.blueprint.gke.cluster import AuthorizedNetwork
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE070", severity=Severity.WARNING, source="Google Cloud: customize network isolation in GKE")
def control_plane_open_to_internet(allowed: AuthorizedNetwork, context: Context) -> Iterator[Finding]:
    """The control plane is open to the whole internet, or to a large part of it.

    Everybody in the range may try to log in, and to use the next weakness of the Kubernetes API.

    Name the ranges of your own network. From anywhere else the cluster can be reached by its DNS name
    (`dns_endpoint: true`), where IAM decides about every call.
    """
    # With bits behind the prefix, the prefix is likely the mistake, and has been reported.
    cidr = _ranges.read(allowed.cidr) if _ranges.is_canonical(allowed.cidr) else None
    if cidr and cidr.prefixlen < _ranges.SHORTEST_PLACE and not _ranges.is_private(cidr):
        whole = "the whole internet" if cidr.prefixlen == 0 else f"{cidr.num_addresses:,} addresses"
        yield Finding(
            f"{allowed.cidr} opens the control plane to {whole}",
            context.at(allowed, "cidr"),
            help="name your own network, or use dns_endpoint: true in place of authorized networks",
        )
