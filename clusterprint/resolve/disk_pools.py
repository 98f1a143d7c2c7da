"""Decisions about storage pools of Hyperdisk."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.storage import Storage
from clusterprint.derived import disk_pools
from clusterprint.errors import InternalError
from clusterprint.plan.volumes import DiskPoolPlan


def resolve_disk_pools(storage: Storage, cluster: str, zone: str) -> Iterator[DiskPoolPlan]:
    """The pools that are created; `zone` is the cluster's."""
    return (_pool(each, cluster, zone) for each in storage.disk_pools if each.create)


def _pool(pool: DiskPool, cluster: str, zone: str) -> DiskPoolPlan:
    if pool.size_gb is UNSET or pool.throughput_mbps is UNSET:
        raise InternalError(f"disk pool {pool.name} passed validation, but nobody says how large it is")
    return DiskPoolPlan(
        key=pool.name,
        name=disk_pools.pool_name(cluster, pool),
        zone=disk_pools.zone(pool, zone),
        type=pool.type,
        size_gb=pool.size_gb,
        throughput_mbps=pool.throughput_mbps,
        iops=None if pool.iops is UNSET else pool.iops,
        capacity="STANDARD" if pool.capacity == "standard" else "ADVANCED",
        performance="STANDARD" if pool.performance == "standard" else "ADVANCED",
        protected=pool.deletion_protection,
    )
