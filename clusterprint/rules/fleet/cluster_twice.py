from collections import defaultdict

from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters
from clusterprint.rules.kit import Finding, Iterator, Severity, rule


@rule("FL001", severity=Severity.ERROR)
def cluster_twice(fleet: Fleet) -> Iterator[Finding]:
    same: dict[tuple[str, str], list[Cluster]] = defaultdict(list)
    for cluster in clusters(fleet):
        same[cluster.name, cluster.home].append(cluster)
    for (name, home), (first, *others) in same.items():
        if others:
            count = len(others)
            who = "another blueprint describes" if count == 1 else f"{count:,} other blueprints describe"
            rest = [_name(each, "and another one") for each in others[1:]]
            yield Finding(
                f"{who} a cluster {name} in {home}",
                _name(others[0]),
                also=also([_name(first, "the other one"), *rest]),
                help="give one of them another name" if count == 1 else "give each of them a name of its own",
            )


def _name(cluster: Cluster, text: str = "") -> Label:
    return cluster.member.context.at(cluster.member.blueprint, "name", text=text)
