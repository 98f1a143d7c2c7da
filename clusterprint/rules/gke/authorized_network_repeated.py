from collections.abc import Iterator

from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.diagnostic import Severity
from clusterprint.rules import _listed_ranges
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE071", severity=Severity.WARNING, source="Google Cloud: customize network isolation in GKE")
def authorized_network_repeated(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """An authorized network is listed twice, or is inside another one.

    The entry has no effect, and removing it would not close access, which is surprising when it matters.

    Keep the intended one.
    """
    listed = known(cluster.authorized_networks, lambda each: each.cidr)
    yield from _listed_ranges.repeated((cidr, context.at(each, "cidr")) for each, cidr in listed)
