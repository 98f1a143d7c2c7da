"""Storage classes: for disks of volumes, and for disks and file systems with a name of their own."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import DiskClass, FileClass, StorageClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import (
    disk_pools,
    kms_keys,
    names,
    network_names,
    node_pools,
    volume_mounts,
    volumes,
)
from clusterprint.plan.claims import StorageClassPlan

#: Who makes and mounts what is claimed, by kind.
DRIVERS = {
    "disk": "pd.csi.storage.gke.io",
    "filestore": "filestore.csi.storage.gke.io",
    "lustre": "lustre.csi.storage.gke.io",
}


def resolve_classes(blueprint: KubernetesBlueprint) -> tuple[StorageClassPlan, ...]:
    """Those of disks that pods have for themselves, which anybody may claim as well, and the others."""
    own = (_of_volume(each, blueprint) for each in blueprint.storage.volumes if volumes.is_own_disk(each))
    return (
        *own,
        *(
            _named(each, dict(_of_disk(each, each.type, blueprint)), _zones(each, blueprint))
            for each in blueprint.storage.disk_classes
        ),
        *(
            _named(each, dict(_of_file_system(each, blueprint)), _made_at_once(each, blueprint))
            for each in blueprint.storage.file_classes
        ),
    )


def _of_volume(volume: GoogleVolume, blueprint: KubernetesBlueprint) -> StorageClassPlan:
    return StorageClassPlan(
        key=volume.name,
        name=names.storage_class(blueprint.name, volume.name),
        driver=DRIVERS["disk"],
        parameters=dict(_of_disk(volume, volumes.disk_type(volume), blueprint)),
        zones=_zones(volume, blueprint),
    )


def _named(made: StorageClass, parameters: dict[str, str], zones: tuple[str, ...]) -> StorageClassPlan:
    return StorageClassPlan(
        # No volume has an underscore in its name.
        key=f"named_{made.name}",
        name=made.name,
        driver=DRIVERS[volume_mounts.class_kind(made)],
        parameters=parameters,
        reclaim_policy="Delete" if made.reclaim_policy == "delete" else "Retain",
        # Storage is where its first pod is, not the other way round, unless it is asked for.
        binding="Immediate" if made.binding == "immediate" else "WaitForFirstConsumer",
        zones=made.zones or zones,
        is_default=made.default,
    )


def _of_disk(
    disks: GoogleVolume | DiskClass, type: str, blueprint: KubernetesBlueprint
) -> Iterator[tuple[str, str]]:
    yield "type", type
    if disks.iops is not UNSET:
        yield "provisioned-iops-on-create", str(disks.iops)
    if disks.throughput_mbps is not UNSET:
        yield "provisioned-throughput-on-create", f"{disks.throughput_mbps}Mi"
    if path := disk_pools.path(blueprint, disks.pool, node_pools.default_zone(blueprint)):
        yield "storage-pools", path
    if key := kms_keys.of_all(blueprint):
        yield "disk-encryption-kms-key", key


def _of_file_system(files: FileClass, blueprint: KubernetesBlueprint) -> Iterator[tuple[str, str]]:
    existing = blueprint.network.existing
    project = blueprint.project if existing is UNSET or existing.project is UNSET else existing.project
    network = network_names.network(blueprint.name) if existing is UNSET else existing.name
    path = f"projects/{project}/global/networks/{network}"
    if files.kind == "lustre":
        yield "network", path
        yield "perUnitStorageThroughput", str(volumes.lustre_throughput(files))
        return
    yield from _tier(files)
    if key := kms_keys.of_all(blueprint):
        yield "instance-encryption-kms-key", key
    if files.protocol == "nfs_v4_1":
        yield "protocol", "NFS_V4_1"
    if volumes.needs_private_services(files):
        # By its full name, so that it may be another project's.
        yield "network", path
        yield "connect-mode", "PRIVATE_SERVICE_ACCESS"
    else:
        yield "network", network
        yield "connect-mode", "DIRECT_PEERING"


def _tier(files: FileClass) -> Iterator[tuple[str, str]]:
    """The storage of a claim: an instance of a tier, or a share of one for all claims of the class."""
    if files.max_share_gb is UNSET:
        yield "tier", volumes.tier_name(files)
        return
    yield "tier", "enterprise"
    yield "multishare", "true"
    yield "max-volume-size", f"{files.max_share_gb}Gi"
    # By this label the driver finds instances that have room.
    yield "instance-storageclass-label", files.name


def _zones(disks: GoogleVolume | DiskClass, blueprint: KubernetesBlueprint) -> tuple[str, ...]:
    """Disks in a pool are where the pool is, and so are their pods; others anywhere."""
    pool = disk_pools.find(blueprint.storage, disks.pool)
    return (disk_pools.zone(pool, node_pools.default_zone(blueprint)),) if pool else ()


def _made_at_once(files: FileClass, blueprint: KubernetesBlueprint) -> tuple[str, ...]:
    """Before there is a pod, the driver takes a zone of its own choice by default."""
    return (node_pools.default_zone(blueprint),) if files.binding == "immediate" else ()
