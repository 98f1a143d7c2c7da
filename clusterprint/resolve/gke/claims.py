"""The claims that pods find volumes by."""

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import names, volume_mounts, volumes
from clusterprint.plan.claims import ClaimPlan, ClaimsPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.resolve.gke.bucket_options import CACHED, bucket_options
from clusterprint.resolve.gke.storage_classes import DRIVERS, resolve_classes

#: Who mounts volumes of a kind.
_DRIVERS = {
    **DRIVERS,
    "bucket": "gcsfuse.csi.storage.gke.io",
    "parallelstore": "parallelstore.csi.storage.gke.io",
    # Kubernetes itself.
    "netapp": "nfs",
}

# Kubernetes wants a size of every volume, and looks at it only when it finds one for a claim.
_ANY_SIZE = "1Gi"

_DISK_READ_AHEAD = ("read_ahead_kb=4096",)
# A file system that is away is waited for, as on nodes of kind vm: better than programs that see errors.
_NFS = ("hard", "timeo=600", "retrans=3", "rsize=1048576", "wsize=1048576", "tcp")


def resolve_claims(blueprint: KubernetesBlueprint, cluster: GkeClusterPlan) -> ClaimsPlan:
    """All classes and claims: each volume has one in each namespace."""
    cached = has_caches(cluster)
    return ClaimsPlan(
        classes=resolve_classes(blueprint),
        claims=tuple(
            _claim(volume, namespace, blueprint, cached=cached)
            for volume in volume_mounts.claimed(blueprint)
            for namespace in volume_mounts.namespaces(blueprint)
        ),
    )


def has_caches(cluster: GkeClusterPlan) -> bool:
    """Whether all nodes of workloads have local SSDs for files that were read: boot disks would fill up."""
    return bool(cluster.pools) and all(pool.node.ephemeral_ssds for pool in cluster.pools)


def _claim(
    volume: GoogleVolume, namespace: str, blueprint: KubernetesBlueprint, *, cached: bool
) -> ClaimPlan:
    size = volumes.size_gib(volume) if volume.create else 0
    return ClaimPlan(
        # Neither name has an underscore in it.
        key=f"{namespace}_{volume.name}",
        volume=volume.name,
        name=names.persistent_volume(namespace, volume.name),
        claim=volume.name,
        namespace=namespace,
        storage_class=names.storage_class(blueprint.name, volume.name),
        size=f"{size}Gi" if size else _ANY_SIZE,
        # Never the size of the volume: that may grow, and a claim of what no class made may not.
        asked=_ANY_SIZE,
        access_mode="ReadOnlyMany" if volume.access == "read_only" else "ReadWriteMany",
        mount_options=_options(volume, cached=cached),
        driver=_DRIVERS[volume.kind],
        handle=_handle(volume, blueprint),
        attributes={"gcsfuseMetadataPrefetchOnMount": "true"} if volume.profile in CACHED else {},
        fs_type="ext4" if volume.kind == "disk" else "",
        zone=volume_mounts.zone(volume, blueprint) if volume.kind == "disk" else "",
    )


def _options(volume: GoogleVolume, *, cached: bool) -> tuple[str, ...]:
    if volume.kind == "disk":
        return _DISK_READ_AHEAD
    if volume.kind == "netapp":
        return ("vers=4.1" if volume.protocol == "nfs_v4_1" else "vers=3", *_NFS)
    if volume.kind != "bucket":
        return ()
    return bucket_options(volume, cached=cached)


def _handle(volume: GoogleVolume, blueprint: KubernetesBlueprint) -> str:
    """The driver's name of a volume, if known beforehand."""
    if volume.kind == "bucket":
        return volumes.bucket_name(blueprint.name, volume)
    if volume.kind == "disk":
        zone, name = volume_mounts.zone(volume, blueprint), volume_mounts.disk_name(blueprint.name, volume)
        return f"projects/{blueprint.project}/zones/{zone}/disks/{name}"
    return ""
