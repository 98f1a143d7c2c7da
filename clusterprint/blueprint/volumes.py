"""`storage.volumes` on Google Cloud: data that outlives machines, and where it appears on them.

One type holds the settings of every kind of volume; its `relations` say which of them a kind has. What each
of them may be is said by kind, in `volume_*.py`.
"""

from functools import partial
from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint import volume_buckets as buckets
from clusterprint.blueprint import volume_disks as disks
from clusterprint.blueprint import volume_file_systems as file_systems
from clusterprint.blueprint.disk_pools import InPool
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Names,
    Needs,
    Refuses,
    Relation,
    Since,
    case,
    follows,
    only,
    unless,
    when,
    written,
)
from clusterprint.blueprint.texts import IN_PROJECT, Cidr, NodePath, Zone, choice, looks_like

VolumeName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "the name of a volume: 1 to 20 lower-case letters, digits and hyphens, starting with a letter and "
        "not ending with a hyphen",
        "scratch",
    ),
]

Kind = Annotated[
    Literal["bucket", "filestore", "lustre", "parallelstore", "netapp", "disk"],
    choice(
        description="Storage service of the volume.",
        values={
            "bucket": "Cloud Storage, mounted by Cloud Storage FUSE: data sets and checkpoints of any size, "
            "at the lowest price.",
            "filestore": "Filestore, over NFS: home folders, code and results, with full POSIX semantics.",
            "lustre": "Managed Lustre: scratch space for many nodes, up to terabytes per second.",
            "parallelstore": "Parallelstore: scratch space at the lowest latency. By invitation only, and "
            "deprecated; use lustre instead.",
            "netapp": "Google Cloud NetApp Volumes, over NFS.",
            "disk": "Disks: one per node, or one read by all nodes.",
        },
    ),
]

Access = Annotated[
    Literal["read_write", "read_only"],
    choice(
        description="Access of nodes and workloads.",
        values={
            "read_write": "Read and write.",
            "read_only": "Read.",
        },
    ),
]


class PrivateServices(Part, frozen=True, kw_only=True):
    """Private service access: the range of addresses that Google's managed file systems have in a network."""

    create: Annotated[
        bool | UnsetType,
        Meta(
            description="Create the address range and the peering. Left out: true in a network that "
            "clusterprint creates; false in an existing network, which can have only one such peering and "
            "usually has it already.",
            examples=[False],
        ),
    ] = UNSET
    cidr: Annotated[
        Cidr | UnsetType,
        Meta(
            description="Address range, /24 or larger, that overlaps no other range. Left out: a /20 at the "
            "end of 10.0.0.0/8. Required in an existing network.",
            examples=["10.100.0.0/20"],
        ),
    ] = UNSET


_only = partial(only, "GCP101", "volume")


#: By what an existing volume of each kind is named.
NAMED_BY = {
    "bucket": "bucket",
    "filestore": "instance",
    "lustre": "instance",
    "parallelstore": "instance",
    "netapp": "export",
    "disk": "disk",
}

#: Tiers of Filestore without NFS 4.1.
NFS_IN_TIER = Excludes(
    "GCP107",
    when("protocol", "nfs_v4_1"),
    follows("volumes.lacks_nfs_v4_1", "tier"),
    (when("kind", "filestore"),),
)


class GoogleVolume(Part, frozen=True, kw_only=True):
    """Data with a name: a file system, a bucket or a disk, created or existing."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("GCP114", "pool", ("storage.disk_pools",), "disk pool"),
        _only("deletion_protection", case(create=True)),
        _only("zone", case(kind=("filestore", "lustre", "parallelstore", "disk")), case(create=True)),
        _only("bucket profile mount_options anywhere_cache", case(kind="bucket")),
        _only(
            "location storage_class hierarchical_namespace soft_delete versioning autoclass lifecycle "
            "name_suffix",
            case(kind="bucket", create=True),
        ),
        _only("instance", case(kind=("filestore", "lustre", "parallelstore"), create=False)),
        _only("access_points", case(kind="parallelstore", create=False)),
        _only("export", case(kind="netapp", create=False)),
        _only("size_gb", case(kind=("filestore", "lustre", "parallelstore", "netapp", "disk"), create=True)),
        _only("tier", case(kind="filestore"), case(kind="netapp", create=True)),
        _only("protocol", case(kind=("filestore", "netapp"))),
        _only("connect snapshots source_backup", case(kind="filestore", create=True)),
        _only("throughput_mbps_per_tib import_from", case(kind="lustre", create=True)),
        _only("throughput_mbps", case(kind=("netapp", "disk"), create=True)),
        _only("type iops snapshot pool", case(kind="disk", create=True)),
        _only("disk", case(kind="disk", create=False)),
        Refuses("GCP064", "location", "far", (when("/region"),), (when("/region"), when("create"))),
        Refuses("GCP092", "location", "unknown", ("bucket_location",), (when("create"),)),
        *(
            Needs(
                "GCP106",
                when("create", False),
                when(field),
                (when("kind", kind),),
                words="export" if field == "export" else "needs",
            )
            for kind, field in NAMED_BY.items()
        ),
        Needs(
            "GCP106",
            when("create", False),
            when("access_points"),
            (when("kind", "parallelstore"),),
            words="access_points",
        ),
        NFS_IN_TIER,
        Refuses("GCP121", "mount_options", "fuse_option_set_elsewhere"),
        Refuses("GCP122", "mount_options", "fuse_option_form"),
        Refuses(
            "GCP150",
            "source_backup",
            "elsewhere",
            (when("/project"), IN_PROJECT),
            (when("/project"), when("kind", "filestore"), when("create")),
        ),
        *(
            Refuses("GCP141", "tier", "tier", (kind,), (when("kind", kind),))
            for kind in ("filestore", "netapp")
        ),
        Refuses("GCP066", "mount", "system_folder", ("home",), (when("kind", "filestore", "netapp"),)),
        Refuses("GCP066", "mount", "system_folder", (), (unless("kind", "filestore", "netapp"),)),
        Refuses(
            "GCP104",
            "throughput_mbps_per_tib",
            "lustre_throughput",
            (),
            (when("kind", "lustre"), when("create")),
        ),
        Refuses("GCP127", "kind", "matching", ("parallelstore",)),
    )

    name: Annotated[VolumeName, Meta(description="Name of the volume, unique in the cluster.")]
    kind: Kind
    mount: Annotated[
        NodePath | UnsetType,
        Meta(description="Mount point in pods that do not set their own `path`.", examples=["/scratch"]),
    ] = UNSET
    access: Access = "read_write"
    create: Annotated[
        bool,
        Meta(
            description="Create the volume, which this cluster then owns. With false, it must exist "
            "already, named by `bucket`, `instance`, `export` or `disk`."
        ),
    ] = True
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse every change that would destroy the volume or replace it by an empty "
            "one. To allow that, set this to false and list the volume in `storage.may_lose`."
        ),
    ] = True
    zone: Annotated[
        Zone | UnsetType,
        Meta(
            description="Zone of a filestore, lustre, parallelstore, netapp of tier flex or read-only disk, "
            "or of a created bucket of class rapid. Left out: the cluster's zone."
        ),
    ] = UNSET
    bucket: buckets.VolumeBucket | UnsetType = UNSET
    location: buckets.BucketLocation | UnsetType = UNSET
    storage_class: buckets.StorageClass | UnsetType = UNSET
    hierarchical_namespace: buckets.HierarchicalNamespace = False
    soft_delete: buckets.SoftDelete = "7d"
    versioning: buckets.Versioning = False
    autoclass: buckets.Autoclass = False
    lifecycle: buckets.Lifecycle = ()
    profile: buckets.Profile | UnsetType = UNSET
    mount_options: buckets.MountOptions = ()
    name_suffix: buckets.NameSuffix | UnsetType = UNSET
    anywhere_cache: Annotated[
        buckets.AnywhereCache | UnsetType,
        Meta(
            description="Caches of a bucket in zones, billed by the amount of cached data.",
            examples=[{"ttl": "7d"}],
        ),
    ] = UNSET
    instance: file_systems.Instance | UnsetType = UNSET
    access_points: file_systems.AccessPoints = ()
    export: file_systems.Export | UnsetType = UNSET
    size_gb: file_systems.SizeGb | UnsetType = UNSET
    tier: file_systems.Tier | UnsetType = UNSET
    protocol: file_systems.Protocol | UnsetType = UNSET
    connect: file_systems.Connect | UnsetType = UNSET
    snapshots: file_systems.Snapshots = ()
    source_backup: file_systems.SourceBackup | UnsetType = UNSET
    throughput_mbps_per_tib: file_systems.ThroughputPerTib | UnsetType = UNSET
    import_from: Annotated[
        LustreImport | UnsetType,
        Meta(
            description="Bucket that a created lustre is filled from, once, after it has been created. If "
            "the bucket or path changes, it is imported too: existing files are kept, except that files of "
            "the same name are overwritten.",
            examples=[{"bucket": "my-datasets", "path": "/imagenet/train/"}],
        ),
    ] = UNSET
    type: disks.DiskType | UnsetType = UNSET
    iops: disks.Iops | UnsetType = UNSET
    throughput_mbps: disks.Throughput | UnsetType = UNSET
    snapshot: disks.Snapshot | UnsetType = UNSET
    disk: disks.ExistingDisk | UnsetType = UNSET
    pool: InPool | UnsetType = UNSET


class VmVolume(GoogleVolume, frozen=True, kw_only=True):
    """A volume, mounted at the same path on every node."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs(
            "VM094",
            when("kind", "filestore", "lustre", "parallelstore", "netapp", "disk"),
            when("mount"),
            words="mount",
        ),
        *(
            Needs("VM094", written(field), when("mount"), (when("kind", "bucket"),))
            for field in ("profile", "mount_options")
        ),
        Refuses("VM174", "name", "one_of", ("VM174",), (when("kind", "disk"),)),
    )

    mount: Annotated[
        NodePath | UnsetType,
        Meta(
            description="Mount point on every node. Left out: a bucket is not mounted, though nodes have "
            "access to it; every other volume needs it.",
            examples=["/scratch"],
        ),
    ] = UNSET


_FILESTORE = (when("kind", "filestore"),)


class KubernetesVolume(GoogleVolume, frozen=True, kw_only=True):
    """A volume, which workloads mount by its name."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE207", when("mount"), when("@is_mounted_there")),
        Since("GKE210", when("kind", "lustre"), "lustre", "volume"),
        Since("GKE212", when("kind", "parallelstore"), "parallelstore"),
        Since("GKE437", when("protocol", "nfs_v4_1"), "filestore-nfs-v4.1", "volume", _FILESTORE),
        Excludes("GKE296", unless("kind", "bucket", "disk"), when("/cluster.existing"), (when("create"),)),
    )
