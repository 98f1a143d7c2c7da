from collections import defaultdict

from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.derived import volumes
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also, and_more
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters_of, existing_network
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule


@rule("FL007", severity=Severity.ERROR)
def private_services_in_one_network(fleet: Fleet) -> Iterator[Finding]:
    makers: dict[str, list[Cluster[NetworkedBlueprint]]] = defaultdict(list)
    for cluster, network in known(clusters_of(fleet, NetworkedBlueprint), _network):
        if network:
            makers[network].append(cluster)
    for network, (first, *rest) in makers.items():
        others = [each for each in rest if not each.is_twin_of(first)]
        if others:
            who = and_more(first.name, len(others) - 1)
            yield Finding(
                f"private service access of network {network} is also created by cluster {who}",
                _place(others[0]),
                also=also([_place(each, "also created here") for each in (first, *others[1:])]),
                help="remove private_services from all but one of them",
            )


def _network(cluster: Cluster[NetworkedBlueprint]) -> str:
    """The existing network that a cluster makes the access in, as `project/name`; empty for none."""
    blueprint = cluster.member.blueprint
    wanted = blueprint.storage.private_services.create is True
    if not wanted or not any(volumes.in_private_services(blueprint.storage)):
        return ""
    return existing_network(blueprint)


def _place(cluster: Cluster[NetworkedBlueprint], text: str = "") -> Label:
    services = cluster.member.blueprint.storage.private_services
    return cluster.member.context.at(services, "create", text=text)
