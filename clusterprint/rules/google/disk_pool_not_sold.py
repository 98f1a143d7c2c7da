from clusterprint import catalog
from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# What has to be said, and the limit in the catalog.
_LIMITS = (("throughput_mbps", "max_throughput_mibps"), ("iops", "max_iops"))


@rule(
    "GCP115", severity=Severity.ERROR, source="Google Cloud: about Hyperdisk Storage Pools, limits", firm=True
)
def disk_pool_not_sold(pool: DiskPool, context: Context) -> Iterator[Finding]:
    """A disk pool has a size that is not sold, or does not say what to buy.

    A disk pool has 10 TiB or more, in steps of one TiB. Capacity and throughput are bought for every pool,
    IOPS for those of hyperdisk-balanced; nothing is chosen for you, as it is paid for by the month.

    Write all of them, within the limits.
    """
    known = catalog.disk_pool_type(pool.type)
    if not pool.create or known is None:
        return
    if pool.size_gb is UNSET:
        yield _missing(pool, "size_gb", f"from {known.min_gb} on", context)
    elif not known.has(pool.size_gb):
        yield Finding(
            f"there is no {pool.type} pool of {pool.size_gb:,} GiB",
            context.at(pool, "size_gb"),
            help=f"write {known.nearest(pool.size_gb)}",
        )
    for field, limit in _LIMITS:
        wanted, most = getattr(pool, field), getattr(known, limit)
        if not most:
            continue  # a key of other pools (GCP116)
        if wanted is UNSET:
            yield _missing(pool, field, f"0 to {most}", context)
        elif wanted > most:
            yield Finding(
                f"a {pool.type} pool has at most {most:,} for {field}, not {wanted:,}",
                context.at(pool, field),
                help=f"write {most}",
            )


def _missing(pool: DiskPool, field: str, what: str, context: Context) -> Finding:
    return Finding(
        f"disk pool {pool.name} has no {field}", context.at(pool, "name"), help=f"add {field}: {what}"
    )
