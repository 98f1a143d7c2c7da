from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE071", severity=Severity.WARNING, source="Google Cloud: customize network isolation in GKE")
def authorized_network_repeated(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """An authorized network is listed twice, or is inside another one.

    The entry has no effect, and removing it would not close access, which is surprising when it matters.

    Keep the intended one.
    """
    listed = known(cluster.authorized_networks, lambda each: each.cidr)
    yield from _listed_ranges.repeated((cidr, context.at(each, "cidr")) for each, cidr in listed)
