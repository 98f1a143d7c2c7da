from clusterprint.blueprint.gke.cluster import AuthorizedNetwork
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE070", severity=Severity.WARNING)
def control_plane_open_to_internet(allowed: AuthorizedNetwork, context: Context) -> Iterator[Finding]:
    yield from _listed_ranges.open_to_internet(
        [(allowed.cidr, context.at(allowed, "cidr"))],
        "the control plane",
        help="name your own network, or use dns_endpoint: true instead of authorized networks",
    )
