"""Places of nodes, and of the pool of their disks."""

from collections.abc import Sequence

from msgspec import UnsetType

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import disk_pools
from clusterprint.rules.kit import Context, Iterator, given


def elsewhere(
    name: str | UnsetType, zones: Sequence[str], usual: str, context: Context[GoogleBlueprint]
) -> Iterator[tuple[DiskPool, str]]:
    """The pool of this name and its zone, if nodes in some of these zones are not there."""
    pool = disk_pools.find(context.blueprint.storage, name) if given(name) else None
    if pool is not None:
        zone = disk_pools.zone(pool, usual)
        if any(each != zone for each in zones):
            yield pool, zone
