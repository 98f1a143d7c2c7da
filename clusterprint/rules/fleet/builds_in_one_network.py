from collections import defaultdict

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived.builds import private_build
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also, and_more
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters_of, existing_network
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule


@rule("FL006", severity=Severity.ERROR)
def builds_in_one_network(fleet: Fleet) -> Iterator[Finding]:
    builders: dict[str, list[Cluster[KubernetesBlueprint]]] = defaultdict(list)
    for cluster, network in known(clusters_of(fleet, KubernetesBlueprint), _network):
        if network:
            builders[network].append(cluster)
    for network, (first, *rest) in builders.items():
        others = [each for each in rest if not each.is_twin_of(first)]
        if others:
            who = and_more(first.name, len(others) - 1)
            yield Finding(
                f"images are built in network {network} by cluster {who} too",
                _place(others[0]),
                also=also([_place(each, f"cluster {each.name}") for each in (first, *others[1:])]),
                help="build the image in one of them and name it in the others, or write pool: default",
            )


def _network(cluster: Cluster[KubernetesBlueprint]) -> str:
    """The existing network that a cluster builds images in, as `project/name`; empty for none."""
    blueprint = cluster.member.blueprint
    return "" if private_build(blueprint) is None else existing_network(blueprint)


def _place(cluster: Cluster[KubernetesBlueprint], text: str = "") -> Label:
    build = private_build(cluster.member.blueprint)
    return cluster.member.context.at_key(build or cluster.member.blueprint, text=text)
