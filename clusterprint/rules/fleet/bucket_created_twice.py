from collections.abc import Iterator

from clusterprint.blueprint.storage import Bucket
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Fleet
from clusterprint.rules.fleet._clusters import Cluster, google_clusters
from clusterprint.rules.rule import Finding, rule


@rule("FL003", severity=Severity.ERROR, source="Cloud Storage: bucket names")
def bucket_created_twice(fleet: Fleet) -> Iterator[Finding]:
    """Two blueprints create the same bucket.

    There is only one bucket of a name in the world, so the second cluster fails; and one owner has to
    decide when it may be deleted.

    Let one blueprint create the bucket, and the others use it with `create: false`.
    """
    first: dict[str, tuple[Cluster, Bucket]] = {}
    for cluster, buckets in known(google_clusters(fleet), _created):
        for bucket, name in buckets:
            other, its = first.setdefault(name, (cluster, bucket))
            if other is not cluster and not other.is_twin_of(cluster):
                yield Finding(
                    f"bucket {name} is also created by cluster {other.name}",
                    cluster.member.context.at(bucket, "name"),
                    also=(other.member.context.at(its, "name", text="created here too"),),
                    help="let one of them create it, and the other use it with create: false",
                )


def _created(cluster: Cluster) -> list[tuple[Bucket, str]]:
    buckets = known(cluster.member.blueprint.storage.buckets, lambda bucket: (bucket.name, bucket.create))
    return [(bucket, name) for bucket, (name, create) in buckets if create]
