from clusterprint import catalog
from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import disk_pools, volumes
from clusterprint.rules.google._capacity import offered
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, again, given, rule

# What has to be said, and the limit in the catalog.
_LIMITS = (("throughput_mbps", "max_throughput_mibps"), ("iops", "max_iops"))


@rule("GCP115", severity=Severity.ERROR, firm=True)
def disk_pool_not_sold(pool: DiskPool, context: Context) -> Iterator[Finding]:
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


@rule("GCP117", severity=Severity.ERROR, firm=True)
def disk_not_of_pool(
    disk: GoogleVolume | DiskClass | MachineGroup, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
    place = disk.boot_disk if isinstance(disk, MachineGroup) else disk
    pool = disk_pools.find(context.blueprint.storage, place.pool) if given(place.pool) else None
    if pool is None:
        return
    if isinstance(disk, GoogleVolume) and not volumes.is_own_disk(disk):
        yield Finding(
            f"volume {disk.name} is not a disk of a single node, so it cannot be in a disk pool",
            context.at(disk, "pool"),
            help="remove pool",
        )
        return
    kind = _type(disk)
    if kind and kind != pool.type:
        yield Finding(
            f"disk pool {pool.name} holds {pool.type} disks, not {kind} disks",
            context.at(place, "pool"),
            also=(context.at(pool, "name", text="the disk pool"),),
            help=f"use a disk pool of type {kind}, or remove pool"
            if isinstance(disk, MachineGroup)
            else f"write type: {pool.type}, or use another disk pool",
        )


def _type(disk: GoogleVolume | DiskClass | MachineGroup) -> str:
    """The type of a disk; empty where nobody knows."""
    if isinstance(disk, GoogleVolume):
        return volumes.disk_type(disk)
    if isinstance(disk, DiskClass):
        return disk.type if catalog.disk_pool_type(disk.type) else ""  # with others, pool is no key
    if given(disk.boot_disk.type):
        return disk.boot_disk.type
    found = offered(disk)
    return found.boot_disk_types[0] if found and found.boot_disk_types else ""


@rule("GCP118", severity=Severity.ERROR, firm=True)
def disk_pool_repeated(storage: Storage, context: Context) -> Iterator[Finding]:
    parts: tuple[GoogleVolume | DiskPool, ...] = (*volumes.volumes(storage), *storage.disk_pools)
    for part, before in again(parts, lambda each: each.name):
        if isinstance(part, DiskPool):
            yield Finding(
                f"two volumes or disk pools are called {part.name}",
                context.at(part, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name",
            )


@rule("GCP133", severity=Severity.WARNING)
def disk_pool_iops_dense(pool: DiskPool, context: Context) -> Iterator[Finding]:
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
