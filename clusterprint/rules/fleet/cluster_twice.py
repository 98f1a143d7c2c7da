from collections.abc import Iterator

from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters
from clusterprint.rules.rule import Finding, rule


@rule("FL001", severity=Severity.ERROR, source="clusterprint: names of resources")
def cluster_twice(fleet: Fleet) -> Iterator[Finding]:
    """Two blueprints describe clusters of the same name in one project or subscription.

    The names of all resources come from these two, so the second cluster would collide with the first,
    or take over its state and rebuild it.

    Give one of them another name.
    """
    first: dict[tuple[str, str], Cluster] = {}
    for cluster in clusters(fleet):
        other = first.setdefault((cluster.name, cluster.home), cluster)
        if other is not cluster:
            yield Finding(
                f"another blueprint describes a cluster {cluster.name} in {cluster.home}",
                cluster.member.context.at(cluster.member.blueprint, "name"),
                also=(other.member.context.at(other.member.blueprint, "name", text="the other one"),),
                help="give one of them another name",
            )
