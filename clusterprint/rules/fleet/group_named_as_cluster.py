from collections import defaultdict

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import names
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters_of
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule


@rule("FL086", severity=Severity.ERROR)
def group_named_as_cluster(fleet: Fleet) -> Iterator[Finding]:
    virtual = list(clusters_of(fleet, VmBlueprint))
    named: dict[tuple[str, str], list[Cluster[VmBlueprint]]] = defaultdict(list)
    for cluster in virtual:
        named[cluster.name, cluster.home].append(cluster)
    for cluster in virtual:
        for group, name in known(cluster.member.blueprint.node_groups, lambda each: each.name):
            taken = names.node_group(cluster.name, name)
            for other in named.get((taken, cluster.home), [])[:1]:
                blueprint, context = other.member
                yield Finding(
                    f"the nodes of group {name} would be named like those of cluster {taken}",
                    cluster.member.context.at(group, "name"),
                    also=(context.at(blueprint, "name", text="the other cluster"),),
                    help="give the group or the cluster another name",
                )
