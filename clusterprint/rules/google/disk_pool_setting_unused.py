from collections.abc import Iterator

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule

_CREATED = ("size_gb", "throughput_mbps", "iops", "capacity", "performance", "deletion_protection")


@rule("GCP116", severity=Severity.ERROR, source="The blueprint language: storage.disk_pools", firm=True)
def disk_pool_setting_unused(pool: DiskPool, context: Context) -> Iterator[Finding]:
    """A pool of disks has a setting that does nothing, or lacks the one by which it is found.

    What is bought is said of a pool that is created; one that exists is named by `pool`, and has its own.

    Remove the setting, or name the pool.
    """
    if pool.create:
        if given(pool.pool):
            yield Finding(
                f"pool {pool.name} is created, and so needs no name of what is there",
                context.at_key(pool, "pool"),
                help="remove pool, or add create: false",
            )
        return
    if not given(pool.pool):
        yield Finding(
            f"nobody says which storage pool {pool.name} is",
            context.at(pool, "name"),
            help="add pool: and its name",
        )
    for field in _CREATED:
        if context.wrote(pool, field):
            yield Finding(
                f"{field} of pool {pool.name} would do nothing: it exists already",
                context.at_key(pool, field),
                help=f"remove {field}",
            )
