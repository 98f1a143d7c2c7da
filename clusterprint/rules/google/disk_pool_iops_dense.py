from clusterprint import catalog
from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "GCP133",
    severity=Severity.WARNING,
    source="Google Cloud: Compute Engine release notes of July 2026, Hyperdisk Balanced Storage Pools",
)
def disk_pool_iops_dense(pool: DiskPool, context: Context) -> Iterator[Finding]:
    """A disk pool has more IOPS than its capacity allows.

    A pool of hyperdisk-balanced has at most 30 IOPS per GiB, or 6 with advanced performance, which is the
    default. Compute Engine refuses more. The limit was raised from 4 in July 2026.

    Use fewer IOPS, more capacity, or standard performance.
    """
    known = catalog.disk_pool_type(pool.type)
    if not pool.create or known is None or pool.size_gb is UNSET or pool.iops is UNSET:
        return
    each = known.iops_per_gb.get(pool.performance)
    # Of more than any pool has, another rule speaks.
    if each is None or not each * pool.size_gb < pool.iops <= known.max_iops:
        return
    yield Finding(
        f"a pool of {pool.size_gb:,} GiB with {pool.performance} performance has at most "
        f"{each * pool.size_gb:,} IOPS, not {pool.iops:,}",
        context.at(pool, "iops"),
        also=(context.at(pool, "size_gb", text=f"{each} per GiB"),),
        help=f"write iops: {each * pool.size_gb}, or size_gb: {known.nearest(-(-pool.iops // each))}",
    )
