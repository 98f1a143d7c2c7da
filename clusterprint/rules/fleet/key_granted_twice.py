from collections import defaultdict

from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.derived import kms_keys
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also, and_more
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters_of
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule


@rule("FL008", severity=Severity.ERROR)
def key_granted_twice(fleet: Fleet) -> Iterator[Finding]:
    granting: dict[tuple[str, str], list[Cluster[NetworkedBlueprint]]] = defaultdict(list)
    for cluster, key in known(clusters_of(fleet, NetworkedBlueprint), _granted):
        if key:
            granting[cluster.home, key].append(cluster)
    for owner, *rest in granting.values():
        others = [each for each in rest if not each.is_twin_of(owner)]
        if others:
            yield Finding(
                f"the use of this key is also granted by cluster {and_more(owner.name, len(others) - 1)}: "
                "when one is destroyed, no other can read its data",
                _key(others[0]),
                also=also([_key(each, "granted here too") for each in (owner, *others[1:])]),
                help="write grant_kms_key: false in all of them, and let the owner of the key grant it",
            )


def _granted(cluster: Cluster[NetworkedBlueprint]) -> str:
    blueprint = cluster.member.blueprint
    return kms_keys.of_all(blueprint) if blueprint.grant_kms_key else ""


def _key(cluster: Cluster[NetworkedBlueprint], text: str = "") -> Label:
    return cluster.member.context.at(cluster.member.blueprint, "kms_key", text=text)
