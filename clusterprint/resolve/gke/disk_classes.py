"""The classes of disks that pods may claim: those of volumes, and those with a name of their own."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.disk_pools import DiskClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import disk_pools, names, node_pools, volumes
from clusterprint.plan.claims import StorageClassPlan

#: Who makes and mounts disks.
DISKS = "pd.csi.storage.gke.io"


def resolve_classes(blueprint: KubernetesBlueprint) -> tuple[StorageClassPlan, ...]:
    """Those of disks that pods have for themselves, which anybody may claim as well, and the others."""
    own = (_of_volume(each, blueprint) for each in blueprint.storage.volumes if volumes.is_own_disk(each))
    return (*own, *(_named(each, blueprint) for each in blueprint.storage.disk_classes))


def _of_volume(volume: GoogleVolume, blueprint: KubernetesBlueprint) -> StorageClassPlan:
    return StorageClassPlan(
        key=volume.name,
        name=names.storage_class(blueprint.name, volume.name),
        driver=DISKS,
        parameters=dict(_parameters(volume, volumes.disk_type(volume), blueprint)),
        zones=_zones(volume, blueprint),
    )


def _named(disks: DiskClass, blueprint: KubernetesBlueprint) -> StorageClassPlan:
    return StorageClassPlan(
        # No volume has an underscore in its name.
        key=f"named_{disks.name}",
        name=disks.name,
        driver=DISKS,
        parameters=dict(_parameters(disks, disks.type, blueprint)),
        reclaim_policy="Delete" if disks.reclaim_policy == "delete" else "Retain",
        # A disk is where its first pod is, not the other way round, unless it is asked for.
        binding="Immediate" if disks.binding == "immediate" else "WaitForFirstConsumer",
        zones=disks.zones or _zones(disks, blueprint),
        is_default=disks.default,
    )


def _parameters(
    disks: GoogleVolume | DiskClass, type: str, blueprint: KubernetesBlueprint
) -> Iterator[tuple[str, str]]:
    yield "type", type
    if disks.iops is not UNSET:
        yield "provisioned-iops-on-create", str(disks.iops)
    if disks.throughput_mbps is not UNSET:
        yield "provisioned-throughput-on-create", f"{disks.throughput_mbps}Mi"
    if path := disk_pools.path(blueprint, disks.pool, node_pools.default_zone(blueprint)):
        yield "storage-pools", path


def _zones(disks: GoogleVolume | DiskClass, blueprint: KubernetesBlueprint) -> tuple[str, ...]:
    """Disks in a pool are where the pool is, and so are their pods; others anywhere."""
    pool = disk_pools.find(blueprint.storage, disks.pool)
    return (disk_pools.zone(pool, node_pools.default_zone(blueprint)),) if pool else ()
