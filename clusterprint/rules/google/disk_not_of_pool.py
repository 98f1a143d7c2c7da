from clusterprint import catalog
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import disk_pools, volumes
from clusterprint.rules.google._capacity import offered
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP117", severity=Severity.ERROR, source="Google Cloud: GKE, Hyperdisk Storage Pools", firm=True)
def disk_not_of_pool(
    disk: GoogleVolume | DiskClass | MachineGroup, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
    """A disk is of another type than its disk pool.

    A disk pool holds disks of its own type only, hyperdisk-balanced or hyperdisk-throughput. Boot disks can
    be hyperdisk-balanced, if the machine type starts from it. A disk that many nodes read cannot be in a
    pool.

    Use the type of the pool, or another pool.
    """
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
