"""`storage.volumes` on Google Cloud: data that outlives machines, and where it appears on them.

One type holds the settings of every kind of volume, so that editors and messages name them all; which of them
a kind has is said once, in `derived/volumes.py`, and a rule holds each volume to it.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, Cidr, Duration, NodePath, ResourceName, Zone, looks_like

VolumeName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "the name of a volume: 1 to 20 lower-case letters, digits and hyphens, starting with a letter and "
        "not ending with a hyphen",
        "scratch",
    ),
]

Location = Annotated[
    str,
    looks_like(
        "^([a-zA-Z]+-[a-zA-Z]+[0-9]+|[a-zA-Z]{2,4}|[a-zA-Z]{3,4}[0-9])$",
        "a bucket location: a region such as us-central1, or a multi-region such as us",
        "us-central1",
        "us",
        name_of="bucket_location",
    ),
]


class BucketLifecycle(Part, frozen=True, kw_only=True):
    """What happens to objects of a bucket when they are old."""

    after_days: Annotated[int, Meta(ge=1, le=36500, description="Age of an object, in days.", examples=[30])]
    action: Annotated[
        Literal["delete", "nearline", "coldline", "archive"],
        Meta(
            description="What happens to it.",
            extra_json_schema={
                "enumDescriptions": {
                    "delete": "It is deleted.",
                    "nearline": "It moves to the class for data read about once a month.",
                    "coldline": "It moves to the class for data read about once a quarter.",
                    "archive": "It moves to the class for data read less than once a year.",
                }
            },
        ),
    ]
    prefix: (
        Annotated[
            str,
            looks_like(
                "^[-_.A-Za-z0-9][-_./A-Za-z0-9]{0,254}$",
                "the beginning of names of objects: letters, digits and -_./, without a slash in front",
                "tmp/",
            ),
            Meta(description="Only objects whose names begin so. Left out: all."),
        ]
        | UnsetType
    ) = UNSET


class PrivateServices(Part, frozen=True, kw_only=True):
    """Private service access: the range of addresses that Google's managed file systems have in a network."""

    create: (
        Annotated[
            bool,
            Meta(
                description="Create the range and the peering. Left out: yes in a network that is created, "
                "no in an existing one, which mostly has them already: a network has only one such peering.",
                examples=[False],
            ),
        ]
        | UnsetType
    ) = UNSET
    cidr: (
        Annotated[
            Cidr,
            Meta(
                description="The range, of /24 or larger, apart from all others. Left out: a /20 at the end "
                "of 10.0.0.0/8. Required in an existing network.",
                examples=["10.100.0.0/20"],
            ),
        ]
        | UnsetType
    ) = UNSET


class GoogleVolume(Part, frozen=True, kw_only=True):
    """Data with a name: a file system, a bucket or a disk, created or existing."""

    name: Annotated[VolumeName, Meta(description="Name of the volume, unique in the cluster.")]
    kind: Annotated[
        Literal["bucket", "filestore", "lustre", "parallelstore", "netapp", "disk"],
        Meta(
            description="What stores the data.",
            extra_json_schema={
                "enumDescriptions": {
                    "bucket": "Cloud Storage, mounted by Cloud Storage FUSE: data sets and checkpoints of "
                    "any "
                    "size, at the lowest price.",
                    "filestore": "Filestore, over NFS: home folders, code and results; whole POSIX.",
                    "lustre": "Managed Lustre: scratch space for many nodes, at up to terabytes per second.",
                    "parallelstore": "Parallelstore, which Google gives by invitation only; take lustre.",
                    "netapp": "Google Cloud NetApp Volumes, over NFS, with snapshots.",
                    "disk": "Disks: one for each node, or one that all nodes read.",
                }
            },
        ),
    ]
    mount: (
        Annotated[
            NodePath,
            Meta(
                description="Where it appears in pods that mount it without a path of their own.",
                examples=["/scratch"],
            ),
        ]
        | UnsetType
    ) = UNSET
    access: Annotated[
        Literal["read_write", "read_only"],
        Meta(
            description="What nodes and workloads may do with it.",
            extra_json_schema={
                "enumDescriptions": {
                    "read_write": "Read and write.",
                    "read_only": "Read.",
                }
            },
        ),
    ] = "read_write"
    create: Annotated[
        bool,
        Meta(
            description="Create it, so that this cluster owns it. With false, it must exist already: say "
            "which "
            "by `bucket`, `instance` or `disk`."
        ),
    ] = True
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse whatever would destroy it, or replace it by an empty one. Without, its name "
            "must stand in `storage.may_lose` as well."
        ),
    ] = True
    zone: (
        Annotated[
            Zone,
            Meta(
                description="Zone of a created filestore, lustre or read-only disk. Left out: the cluster's "
                "zone."
            ),
        ]
        | UnsetType
    ) = UNSET

    # ---- bucket
    bucket: (
        Annotated[
            BucketName,
            Meta(
                description="Name of the bucket, which is unique in the world. Left out: name of the "
                "cluster, "
                "hyphen, name of the volume."
            ),
        ]
        | UnsetType
    ) = UNSET
    location: (
        Annotated[Location, Meta(description="Location of a created bucket. Left out: the cluster's region.")]
        | UnsetType
    ) = UNSET
    storage_class: (
        Annotated[
            Literal["standard", "nearline", "coldline", "archive"],
            Meta(
                description="Storage class of a created bucket. Left out: standard.",
                extra_json_schema={
                    "enumDescriptions": {
                        "standard": "For data in use.",
                        "nearline": "For data read about once a month.",
                        "coldline": "For data read about once a quarter.",
                        "archive": "For data read less than once a year.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    hierarchical_namespace: Annotated[
        bool,
        Meta(
            description="Real folders in a created bucket: renaming one is a single step, and checkpoints "
            "are "
            "written with up to eight times the operations. Cannot be changed later, and excludes "
            "`versioning`."
        ),
    ] = False
    soft_delete: Annotated[
        Duration,
        Meta(
            description="How long deleted objects of a created bucket can be restored: 7d to 90d, and they "
            "are paid for as long. 7 days are Google's default, too.",
            examples=["30d"],
        ),
    ] = "7d"
    versioning: Annotated[
        bool,
        Meta(description="Keep what is overwritten or deleted in a created bucket, as older versions."),
    ] = False
    autoclass: Annotated[
        bool,
        Meta(description="Move objects of a created bucket between storage classes as they are read."),
    ] = False
    lifecycle: Annotated[
        tuple[BucketLifecycle, ...],
        Meta(
            description="What happens to old objects of a created bucket.",
            examples=[[{"after_days": 30, "action": "delete", "prefix": "tmp/"}]],
        ),
    ] = ()
    profile: (
        Annotated[
            Literal["training", "checkpoints", "serving"],
            Meta(
                description="What a bucket is for; Cloud Storage FUSE sets its caches accordingly. Left out: "
                "its own defaults.",
                extra_json_schema={
                    "enumDescriptions": {
                        "training": "Data that is read again and again, all of it.",
                        "checkpoints": "Large files that are written once and seldom read.",
                        "serving": "Models that many nodes read once, in parallel.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET

    # ---- file systems and disks
    instance: (
        Annotated[
            ResourceName,
            Meta(
                description="Name of an existing instance of Filestore or Managed Lustre, with create: false."
            ),
        ]
        | UnsetType
    ) = UNSET
    size_gb: (
        Annotated[
            int,
            Meta(
                ge=4,
                le=84016000,
                description="Size of what is created, in GiB; of a disk, for each node. Each kind and tier "
                "has "
                "its own smallest size and steps.",
                examples=[2560],
            ),
        ]
        | UnsetType
    ) = UNSET
    tier: (
        Annotated[
            Literal["zonal", "regional", "basic_ssd", "basic_hdd"],
            Meta(
                description="Service tier of a created filestore. Left out: zonal.",
                extra_json_schema={
                    "enumDescriptions": {
                        "zonal": "Fast, in one zone: 1 TiB to 100 TiB.",
                        "regional": "In several zones, for what must survive one: 1 TiB to 100 TiB.",
                        "basic_ssd": "An older tier on SSD: 2.5 TiB to 63.9 TiB, never smaller again.",
                        "basic_hdd": "The cheapest, and slow: 1 TiB to 63.9 TiB, never smaller again.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    protocol: (
        Annotated[
            Literal["nfs_v3", "nfs_v4_1"],
            Meta(
                description="Protocol of a created filestore. Left out: nfs_v3, which all tiers have.",
                extra_json_schema={
                    "enumDescriptions": {
                        "nfs_v3": "NFS 3.",
                        "nfs_v4_1": "NFS 4.1, with locks that survive a restart; not in the basic tiers.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    connect: (
        Annotated[
            Literal["private_services", "direct"],
            Meta(
                description="How a created filestore is reached. Left out: private_services.",
                extra_json_schema={
                    "enumDescriptions": {
                        "private_services": "Through the network's private service access, which all its "
                        "file systems share.",
                        "direct": "By a peering of its own, which costs one of the network's 25 peerings.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    throughput_mbps_per_tib: (
        Annotated[
            int,
            Meta(
                ge=25,
                le=1000,
                description="Performance tier of a created lustre, in MB/s for each TiB: 125, 250, 500 or "
                "1000. "
                "Left out: 500. Cannot be changed later.",
                examples=[500],
            ),
        ]
        | UnsetType
    ) = UNSET
    type: (
        Annotated[
            Literal["hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-throughput", "hyperdisk-ml"],
            Meta(
                description="Type of a created disk. Left out: hyperdisk-balanced, or with access: read_only "
                "hyperdisk-ml.",
                extra_json_schema={
                    "enumDescriptions": {
                        "hyperdisk-balanced": "For most: 3,000 to 160,000 IOPS.",
                        "hyperdisk-extreme": "For databases: up to 350,000 IOPS.",
                        "hyperdisk-throughput": "For large files at a low price: from 2 TiB.",
                        "hyperdisk-ml": "Read by many nodes at once: models and their weights.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    iops: (
        Annotated[
            int,
            Meta(
                ge=2,
                le=350000,
                description="IOPS of a created disk of type hyperdisk-balanced or hyperdisk-extreme. Left "
                "out: "
                "what its type has for its size.",
                examples=[6000],
            ),
        ]
        | UnsetType
    ) = UNSET
    throughput_mbps: (
        Annotated[
            int,
            Meta(
                ge=10,
                le=1200000,
                description="Throughput of a created disk, in MiB/s; of hyperdisk-extreme it follows from "
                "the "
                "IOPS. Left out: what its type has for its size.",
                examples=[1200],
            ),
        ]
        | UnsetType
    ) = UNSET
    snapshot: (
        Annotated[
            ResourceName,
            Meta(
                description="Existing snapshot that a created read-only disk is filled from.",
                examples=["llama-weights"],
            ),
        ]
        | UnsetType
    ) = UNSET
    disk: (
        Annotated[
            ResourceName,
            Meta(description="Name of an existing disk that all nodes read, with create: false."),
        ]
        | UnsetType
    ) = UNSET


class VmVolume(GoogleVolume, frozen=True, kw_only=True):
    """Data with a name, and the folder where it appears on every node."""

    mount: Annotated[NodePath, Meta(description="Mount point on every node.", examples=["/scratch"])]


class KubernetesVolume(GoogleVolume, frozen=True, kw_only=True):
    """Data with a name, which workloads mount by it."""
