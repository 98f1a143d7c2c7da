"""Settings of `storage.volumes` on Google Cloud, for rules, resolve and reviews alike."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET, UnsetType

from clusterprint import catalog
from clusterprint.blueprint.storage import Storage, VmStorage
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume, VmVolume

#: What created file systems are by default.
DEFAULT_TIERS = {"filestore": "zonal", "netapp": "premium"}
DEFAULT_LUSTRE_THROUGHPUT = 500

#: The type of a created disk by default, by what may be done with it.
DEFAULT_DISK_TYPES = {"read_only": "hyperdisk-ml", "read_write": "hyperdisk-balanced"}

#: How many random digits the name of a bucket may end with: less than a name has room for.
SUFFIX_LENGTH = 8

#: The size of a disk of a node's or a pod's own, in GiB, by default.
DEFAULT_DISK_GIB = 100


def volumes(storage: Storage) -> tuple[GoogleVolume, ...]:
    """The volumes of a cluster on Google Cloud."""
    found: tuple[GoogleVolume, ...] = getattr(storage, "volumes", ())
    return found


def file_classes(storage: Storage) -> tuple[FileClass, ...]:
    """The classes by which others claim file systems: only clusters with pods have them."""
    found: tuple[FileClass, ...] = getattr(storage, "file_classes", ())
    return found


def with_classes(storage: Storage) -> tuple[GoogleVolume | FileClass, ...]:
    """The volumes, and the classes by which others claim file systems."""
    return (*volumes(storage), *file_classes(storage))


def is_protected(volume: GoogleVolume) -> bool:
    """Whether the data of a created volume is protected; a rule sees that both places say the same."""
    return volume.create and volume.deletion_protection


def bucket_name(cluster: str, volume: GoogleVolume) -> str:
    """The bucket of a volume of kind bucket."""
    return f"{cluster}-{volume.name}" if volume.bucket is UNSET else volume.bucket


def has_random_suffix(volume: GoogleVolume) -> bool:
    """Whether the name of a created bucket goes on with digits that only Terraform's state knows."""
    return volume.kind == "bucket" and volume.create and volume.name_suffix == "random"


def is_rapid(volume: GoogleVolume) -> bool:
    """Whether it is a created bucket that is in one zone."""
    return volume.kind == "bucket" and volume.create and volume.storage_class == "rapid"


def has_folders(volume: GoogleVolume) -> bool:
    """Whether a created bucket has a hierarchical namespace: one in a zone always has."""
    return volume.hierarchical_namespace or is_rapid(volume)


def cache_zones(volume: GoogleVolume, zone: str | UnsetType) -> tuple[str, ...]:
    """The zones that have a cache of a bucket; `zone` is the cluster's."""
    if volume.anywhere_cache is UNSET:
        return ()
    return volume.anywhere_cache.zones or (() if zone is UNSET else (zone,))


def filestore_tier(volume: GoogleVolume) -> catalog.FilestoreTier | None:
    """The service tier of a filestore."""
    return catalog.filestore_tier(tier_name(volume))


def lacks_nfs_v4_1(made: GoogleVolume | FileClass) -> bool:
    """Whether the tier of a filestore does not support NFS 4.1."""
    tier = catalog.filestore_tier(tier_name(made))
    return tier is not None and not tier.nfs_v4_1


def netapp_tier(volume: GoogleVolume) -> catalog.NetappTier | None:
    """The service level of a netapp."""
    return catalog.netapp_tier(tier_name(volume))


def tier_name(volume: GoogleVolume | FileClass) -> str:
    """The tier of a filestore or a netapp, as blueprints name it."""
    return DEFAULT_TIERS[volume.kind] if volume.tier is UNSET else volume.tier


def tier(
    volume: GoogleVolume,
) -> catalog.FilestoreTier | catalog.LustreTier | catalog.NetappTier | catalog.ParallelstoreTier | None:
    """The tier of a created file system; None for other kinds, and for an unknown tier."""
    if volume.kind == "filestore":
        return filestore_tier(volume)
    if volume.kind == "lustre":
        return catalog.lustre_tier(lustre_throughput(volume))
    if volume.kind == "netapp":
        return netapp_tier(volume)
    return catalog.parallelstore_tier() if volume.kind == "parallelstore" else None


def lustre_throughput(volume: GoogleVolume | FileClass) -> int:
    """The performance tier of a created lustre, in MB/s for each TiB."""
    given = volume.throughput_mbps_per_tib
    return DEFAULT_LUSTRE_THROUGHPUT if given is UNSET else given


def size_gib(volume: GoogleVolume) -> int:
    """The size of what is created: what is said, or the smallest of its tier; 0 where it has none."""
    if volume.size_gb is not UNSET:
        return volume.size_gb
    if is_own_disk(volume):
        return DEFAULT_DISK_GIB
    known = tier(volume)
    return known.smallest if known else 0


def speed(volume: GoogleVolume, disks: int | None = 1) -> catalog.Speed | None:
    """The performance of a created file system, or of this many disks; None if it is not known."""
    if not volume.create:
        return None
    if volume.kind == "disk":
        disk = provisioned(volume)
        return _speed_of(disk, disks, written=volume.access == "read_write") if disk and disks else None
    known = tier(volume)
    if isinstance(known, catalog.NetappTier) and volume.throughput_mbps is not UNSET:
        return known.speed(size_gib(volume), volume.throughput_mbps)
    return known.speed(size_gib(volume)) if known else None


def _speed_of(disk: catalog.Provisioned, disks: int, *, written: bool) -> catalog.Speed:
    mbps, iops = disk.mibps * disks * (1 << 20) // 1_000_000, disk.iops * disks
    return catalog.Speed(mbps, mbps if written else 0, iops, iops if written else 0)


def provisioned(volume: GoogleVolume) -> catalog.Provisioned | None:
    """The size and the performance of a created disk; None where they are not known."""
    asked = (0 if each is UNSET else each for each in (volume.iops, volume.throughput_mbps))
    return catalog.provisioned(disk_type(volume), size_gib(volume), *asked)


def needs_private_services(volume: GoogleVolume | FileClass) -> bool:
    """Whether what is created is reached through the private service access of its network."""
    if isinstance(volume, GoogleVolume) and not volume.create:
        return False
    return volume.kind in ("lustre", "parallelstore") or (
        volume.kind == "filestore" and volume.connect != "direct"
    )


def in_private_services(storage: Storage) -> Iterator[GoogleVolume | FileClass]:
    """The volumes and claims of a class that use the private service access of a network."""
    return filter(needs_private_services, with_classes(storage))


def needs_netapp_services(volume: GoogleVolume) -> bool:
    """Whether a created volume is reached through NetApp's own peering with its network."""
    return volume.create and volume.kind == "netapp"


def filesystem_name(volume: GoogleVolume) -> str:
    """Lustre's file system name of a volume: at most eight letters and digits."""
    return volume.name.replace("-", "")[:8]


def disk_type(volume: GoogleVolume) -> str:
    """The type of a created disk."""
    return DEFAULT_DISK_TYPES[volume.access] if volume.type is UNSET else volume.type


def is_filled_disk(volume: GoogleVolume) -> bool:
    """Whether it is one disk, created from a snapshot, that all nodes read."""
    return volume.kind == "disk" and volume.create and volume.access == "read_only"


def buckets(storage: VmStorage) -> Iterator[VmVolume]:
    """The volumes of nodes of kind vm that are buckets, mounted or not."""
    return (each for each in storage.volumes if each.kind == "bucket")


def bucket_mounts(storage: VmStorage) -> Iterator[tuple[VmVolume, str]]:
    """The buckets that nodes of kind vm mount, each with its folder."""
    return _mounts(buckets(storage))


def mounts(storage: VmStorage) -> Iterator[tuple[VmVolume, str]]:
    """Other mounts of nodes of kind vm, each with its folder: network file systems and disks."""
    return _mounts(each for each in storage.volumes if each.kind != "bucket")


def _mounts(found: Iterable[VmVolume]) -> Iterator[tuple[VmVolume, str]]:
    return ((each, each.mount.rstrip("/")) for each in found if each.mount is not UNSET)


def is_own_disk(volume: GoogleVolume) -> bool:
    """Whether each node has a disk of its own for it, which goes with the node."""
    return volume.kind == "disk" and volume.create and volume.access == "read_write"


def is_zonal_netapp(volume: GoogleVolume) -> bool:
    """Whether it is a created volume of NetApp that is in one zone, as those of level flex are."""
    level = netapp_tier(volume) if volume.kind == "netapp" and volume.create else None
    return level is not None and level.zonal


def is_zonal(volume: GoogleVolume) -> bool:
    """Whether it is in one zone."""
    if volume.kind == "filestore":
        tier = filestore_tier(volume)
        return tier is None or tier.zonal
    if volume.kind == "netapp":
        return is_zonal_netapp(volume)
    return volume.kind in ("lustre", "parallelstore") or is_filled_disk(volume) or is_rapid(volume)
