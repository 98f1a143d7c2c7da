from collections import defaultdict

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also
from clusterprint.rules._held import Held, all_held, all_imported
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, clusters, google_clusters
from clusterprint.rules.kit import Finding, Iterator, Severity, known, rule


@rule("FL004", severity=Severity.ERROR)
def state_bucket_of_another_as_data(fleet: Fleet) -> Iterator[Finding]:
    states: dict[str, Cluster] = {}
    for cluster, state in known(clusters(fleet), _state_bucket):
        states.setdefault(state, cluster)
    uses: dict[str, list[Label]] = defaultdict(list)
    for cluster, (used, own) in known(
        google_clusters(fleet), lambda each: (_used(each), _state_bucket(each))
    ):
        for bucket in used:
            # A cluster that uses its own state bucket hears so from another rule.
            if bucket.name in states and bucket.name != own:
                uses[bucket.name].append(bucket.place(cluster.member.context))
    for name, (first, *others) in uses.items():
        owner = states[name]
        backend = owner.member.blueprint.backend.gcs
        yield Finding(
            f"bucket {name} holds the Terraform state of cluster {owner.name}",
            first,
            also=also(
                [
                    owner.member.context.at(backend, "bucket", text="the state"),
                    *(each._replace(text="used as data here too") for each in others),
                ]
            ),
            help="keep data and state in different buckets",
        )


def _state_bucket(cluster: Cluster) -> str:
    bucket: str = cluster.member.blueprint.backend.gcs.bucket
    return bucket


def _used(cluster: Cluster[GoogleBlueprint]) -> list[Held]:
    blueprint = cluster.member.blueprint
    every = (*all_held(blueprint), *all_imported(blueprint))
    return [each for each in every if not each.suffix_length]
