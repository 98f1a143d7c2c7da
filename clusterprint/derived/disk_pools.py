"""The pools of `storage.disk_pools`: names, places, and references to them."""

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.storage import Storage
from clusterprint.derived import names


def find(storage: Storage, name: str | UnsetType) -> DiskPool | None:
    """The pool that a disk names; None if it names none, or there is none."""
    return next((each for each in storage.disk_pools if each.name == name), None)


def pool_name(cluster: str, pool: DiskPool) -> str:
    """Compute Engine's name of a pool."""
    return names.volume(cluster, pool.name) if pool.pool is UNSET else pool.pool


def zone(pool: DiskPool, usual: str) -> str:
    """Where a pool is; `usual` is the cluster's zone."""
    return usual if pool.zone is UNSET else pool.zone


def path(blueprint: GoogleBlueprint, name: str | UnsetType, usual: str) -> str:
    """The full path of the pool that a disk names; empty for a disk that stands alone."""
    pool = find(blueprint.storage, name)
    if pool is None:
        return ""
    called = pool_name(blueprint.name, pool)
    return f"projects/{blueprint.project}/zones/{zone(pool, usual)}/storagePools/{called}"
