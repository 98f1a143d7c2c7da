from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, rule


@rule("GCP118", severity=Severity.ERROR, source="The blueprint language: storage.disk_pools", firm=True)
def disk_pool_repeated(storage: Storage, context: Context) -> Iterator[Finding]:
    """A disk pool has the name of another one, or of a volume.

    `may_lose` names pools and volumes alike, and in the cloud both are named after the cluster.

    Give it another name.
    """
    parts: tuple[GoogleVolume | DiskPool, ...] = (*volumes.volumes(storage), *storage.disk_pools)
    for part, before in again(parts, lambda each: each.name):
        if isinstance(part, DiskPool):
            yield Finding(
                f"two volumes or disk pools are called {part.name}",
                context.at(part, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name",
            )
