from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE071", severity=Severity.WARNING)
def authorized_network_repeated(cluster: Cluster, context: Context) -> Iterator[Finding]:
    listed = known(cluster.authorized_networks, lambda each: each.cidr)
    yield from _listed_ranges.repeated((cidr, context.at(each, "cidr")) for each, cidr in listed)
