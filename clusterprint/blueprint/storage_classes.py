"""`storage.disk_classes` and `storage.file_classes`: storage that any manifest in the cluster can claim."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint import volume_disks as disks
from clusterprint.blueprint import volume_file_systems as files
from clusterprint.blueprint.disk_pools import InPool
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Forbids,
    Names,
    Only,
    Refuses,
    Relation,
    Since,
    case,
    only,
    when,
)
from clusterprint.blueprint.texts import Zone, choice, looks_like
from clusterprint.blueprint.volumes import NFS_IN_TIER


class StorageClass(Part, frozen=True, kw_only=True):
    """A Kubernetes storage class, by which any manifest can claim storage."""

    name: Annotated[
        str,
        looks_like(
            "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
            "the name of a storage class: 1 to 63 lower-case letters, digits and hyphens",
            "fast",
        ),
        Meta(description="Name of the storage class, for `storageClassName` of claims."),
    ]
    reclaim_policy: Annotated[
        Literal["delete", "retain"],
        choice(
            description="Action on a disk or file system when its claim is deleted.",
            values={
                "delete": "It is deleted, with its data.",
                "retain": "It is kept until it is deleted manually.",
            },
        ),
    ] = "delete"
    binding: Annotated[
        Literal["first_use", "immediate"],
        choice(
            description="When a disk or file system is created.",
            values={
                "first_use": "When the first pod needs it, in the zone of that pod.",
                "immediate": "With the claim, in any zone that the class allows.",
            },
        ),
    ] = "first_use"
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the disks or file systems. Left out: that of the pool; the cluster's "
            "zone for file systems that are created with their claims; otherwise all zones of the "
            "cluster.",
            examples=[["us-central1-a"]],
        ),
    ] = ()
    default: Annotated[
        bool,
        Meta(description="Make this the default class, for claims that name none, instead of GKE's."),
    ] = False


def _of_types(code: str, field: str, *types: str) -> Only:
    return only(code, "disk class", field, case(type=types), plural="disk classes")


class DiskClass(StorageClass, frozen=True, kw_only=True):
    """A Kubernetes storage class, by which any manifest can claim disks."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Names("GCP114", "pool", ("storage.disk_pools",), "disk pool"),
        _of_types("GKE432", "iops", "hyperdisk-balanced", "hyperdisk-extreme"),
        _of_types("GKE432", "throughput_mbps", "hyperdisk-balanced", "hyperdisk-throughput"),
        _of_types("GCP117", "pool", "hyperdisk-balanced", "hyperdisk-throughput"),
    )

    type: Annotated[
        Literal[
            "pd-standard",
            "pd-balanced",
            "pd-ssd",
            "hyperdisk-balanced",
            "hyperdisk-extreme",
            "hyperdisk-throughput",
        ],
        choice(
            description="Type of the disks.",
            values={
                "pd-standard": "Hard disk: slow, cheap.",
                "pd-balanced": "SSD: balances price and performance.",
                "pd-ssd": "SSD: the fastest Persistent Disk.",
                "hyperdisk-balanced": "For most uses: 3,000 to 160,000 IOPS.",
                "hyperdisk-extreme": "For databases: up to 350,000 IOPS.",
                "hyperdisk-throughput": "For large files at a low price: 2 TiB and more.",
            },
        ),
    ] = "hyperdisk-balanced"
    iops: disks.Iops | UnsetType = UNSET
    throughput_mbps: disks.Throughput | UnsetType = UNSET
    pool: InPool | UnsetType = UNSET


_FILESTORE = (when("kind", "filestore"),)


class FileClass(StorageClass, frozen=True, kw_only=True):
    """A Kubernetes storage class: each claim gets a file system that several pods can share."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Since("GKE210", when("kind", "lustre"), "lustre", "storage class"),
        Since("GKE437", when("tier", "regional"), "filestore-regional", "storage class"),
        Since("GKE437", when("max_share_gb"), "filestore-shares", "storage class"),
        Since("GKE437", when("protocol", "nfs_v4_1"), "filestore-nfs-v4.1", "storage class", _FILESTORE),
        Excludes("GKE296", when("kind"), when("/cluster.existing"), words="file_class"),
        Refuses("GCP104", "throughput_mbps_per_tib", "lustre_throughput", (), (when("kind", "lustre"),)),
        Forbids("GKE438", when("max_share_gb"), (*_FILESTORE, when("@no_such_share"))),
        *(
            Excludes("GKE438", field, when("max_share_gb"), _FILESTORE)
            for field in (when("tier"), when("protocol", "nfs_v4_1"))
        ),
        only(
            "GKE434",
            "file class",
            "tier max_share_gb protocol connect",
            case(kind="filestore"),
            plural="file classes",
        ),
        only("GKE434", "file class", "throughput_mbps_per_tib", case(kind="lustre"), plural="file classes"),
        NFS_IN_TIER,
    )

    kind: Annotated[
        Literal["filestore", "lustre"],
        choice(
            description="Storage service of the file systems.",
            values={
                "filestore": "Filestore: NFS, from 1 TiB on.",
                "lustre": "Managed Lustre: parallel, from 9,000 GiB on.",
            },
        ),
    ]
    tier: Annotated[
        Literal["zonal", "regional", "basic_ssd", "basic_hdd"] | UnsetType,
        choice(
            description="Service tier of a filestore. Left out: zonal.",
            values={
                "zonal": "Fast, in one zone: 1 TiB to 100 TiB.",
                "regional": "Survives the loss of a zone: 1 TiB to 100 TiB.",
                "basic_ssd": "Older tier on SSD: 2.5 TiB to 63.9 TiB.",
                "basic_hdd": "Cheapest and slow: 1 TiB to 63.9 TiB.",
            },
        ),
    ] = UNSET
    max_share_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=128,
            le=1024,
            description="Place claims as shares on common Enterprise-tier Filestore instances, each of up to "
            "this many GiB: 128, 256, 512 or 1024. An instance has 80 shares of 128 GiB, 40 of 256, 20 of "
            "512 or 10 of 1024. Left out: each claim gets its own instance.",
            examples=[128],
        ),
    ] = UNSET
    protocol: files.Protocol | UnsetType = UNSET
    connect: files.Connect | UnsetType = UNSET
    throughput_mbps_per_tib: files.ThroughputPerTib | UnsetType = UNSET
