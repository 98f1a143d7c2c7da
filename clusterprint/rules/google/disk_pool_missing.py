from collections.abc import Iterator

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.machine_disks import PooledBootDisk
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("GCP114", severity=Severity.ERROR, source="The blueprint language: storage.disk_pools", firm=True)
def disk_pool_missing(
    disk: GoogleVolume | PooledBootDisk | DiskClass, context: Context[GoogleBlueprint]
) -> Iterator[Finding]:
    """A disk names a disk pool that does not exist.

    Disks name pools of `storage.disk_pools`, of the same blueprint; one that exists is listed there with
    `create: false`.

    Name one of them, or add the pool.
    """
    if not given(disk.pool):
        return
    pools = context.blueprint.storage.disk_pools
    names = [name for _, name in known(pools, lambda each: each.name)]
    if len(names) < len(pools) or disk.pool in names:
        return  # it is there, or one of them has a name that cannot be read
    others = f"the disk pools are {listed(names, 'and')}" if names else "add it to storage.disk_pools"
    yield Finding(
        f"there is no disk pool {disk.pool}",
        context.at(disk, "pool"),
        help=did_you_mean(nearest(disk.pool, names)) or others,
    )
