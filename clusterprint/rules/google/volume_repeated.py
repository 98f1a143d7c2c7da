from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.storage import Storage
from clusterprint.derived import volumes
from clusterprint.rules._held import all_held
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, rule


@rule("GCP102", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def volume_repeated(storage: Storage, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """Two volumes have the same name, or two entries are the same bucket.

    Workloads, resources and mounts are identified by the name of a volume. A bucket has one mount, one access
    and one owner.

    Give each volume a name of its own, and list each bucket once.
    """
    yield from repeated(
        volumes.volumes(storage),
        context,
        lambda volume: f"there are two volumes called {volume.name}",
        first="the first one",
        help="give each a name of its own",
    )
    for held, before in again(all_held(context.blueprint), lambda each: each.name):
        yield Finding(
            f"bucket {held.name} is listed twice",
            held.place(context),
            also=(before.place(context, "first listed here"),),
            help="merge the two entries into one",
        )
