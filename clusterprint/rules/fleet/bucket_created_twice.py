from collections import defaultdict

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also, and_more
from clusterprint.rules._held import Held, all_held
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, google_clusters
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule


@rule("FL003", severity=Severity.ERROR)
def bucket_created_twice(fleet: Fleet) -> Iterator[Finding]:
    creators: dict[str, list[tuple[Cluster, Held]]] = defaultdict(list)
    for cluster, buckets in known(google_clusters(fleet), _created):
        for bucket in buckets:
            creators[bucket.name].append((cluster, bucket))
    for name, (first, *rest) in creators.items():
        owner = first[0]
        others = [each for each in rest if each[0] is not owner and not each[0].is_twin_of(owner)]
        if others:
            count = len(others)
            yield Finding(
                f"bucket {name} is also created by cluster {and_more(owner.name, count - 1)}",
                _name(others[0]),
                also=also([_name(each, "created here too") for each in (first, *others[1:])]),
                help="let one of them create it, and the "
                f"{'other' if count == 1 else 'others'} use it with create: false",
            )


def _name(created: tuple[Cluster, Held], text: str = "") -> Label:
    cluster, bucket = created
    return bucket.place(cluster.member.context, text)


def _created(cluster: Cluster[GoogleBlueprint]) -> list[Held]:
    return [
        bucket for bucket in all_held(cluster.member.blueprint) if bucket.create and not bucket.suffix_length
    ]
