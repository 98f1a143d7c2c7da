from clusterprint.blueprint.gke.cluster import AuthorizedNetwork
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE070", severity=Severity.WARNING, source="Google Cloud: customize network isolation in GKE")
def control_plane_open_to_internet(allowed: AuthorizedNetwork, context: Context) -> Iterator[Finding]:
    """The control plane is open to the whole internet, or to a large part of it.

    Anyone in the range can try to log in, or to exploit the next vulnerability of the Kubernetes API.

    Name the ranges of your own network. From anywhere else the cluster can be reached by its DNS name
    (`dns_endpoint: true`), where IAM checks every call.
    """
    yield from _listed_ranges.open_to_internet(
        [(allowed.cidr, context.at(allowed, "cidr"))],
        "the control plane",
        help="name your own network, or use dns_endpoint: true instead of authorized networks",
    )
