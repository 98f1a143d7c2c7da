from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_CREATED = ("size_gb", "throughput_mbps", "iops", "capacity", "performance", "deletion_protection")


@rule("GCP116", severity=Severity.ERROR, source="The blueprint language: storage.disk_pools", firm=True)
def disk_pool_setting_unused(pool: DiskPool, context: Context) -> Iterator[Finding]:
    """A disk pool has a setting that does nothing, or lacks the one that identifies it.

    What is bought is set for a pool that is created; one that exists is named by `pool`, and has its own
    settings.

    Remove the setting, or name the pool.
    """
    if pool.create:
        if given(pool.pool):
            yield Finding(
                f"disk pool {pool.name} is created, so it cannot name an existing one",
                context.at_key(pool, "pool"),
                help="remove pool, or add create: false",
            )
        return
    if not given(pool.pool):
        yield Finding(
            f"disk pool {pool.name} exists already, but its name is not given",
            context.at(pool, "name"),
            help="add pool: NAME",
        )
    for field in _CREATED:
        if context.wrote(pool, field):
            yield Finding(
                f"{field} of disk pool {pool.name} would do nothing: it exists already",
                context.at_key(pool, field),
                help=f"remove {field}",
            )
