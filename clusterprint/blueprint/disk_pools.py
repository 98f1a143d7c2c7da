"""`storage.disk_pools` and `storage.disk_classes`: where disks come from, and what others may claim."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint import volume_disks as disks
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import ResourceName, Zone, looks_like

PoolName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "the name of a pool of disks: 1 to 20 lower-case letters, digits and hyphens, starting with a letter "
        "and not ending with a hyphen",
        "fast",
    ),
]

InPool = Annotated[
    PoolName,
    Meta(
        description="Pool of `storage.disk_pools` that the disk is made in. Left out: it stands alone.",
        examples=["fast"],
    ),
]

Provisioning = Literal["standard", "advanced"]


class DiskPool(Part, frozen=True, kw_only=True):
    """A Hyperdisk storage pool: capacity and performance that are bought once, for many disks."""

    name: Annotated[PoolName, Meta(description="Name of the pool, unique among pools and volumes.")]
    create: Annotated[
        bool,
        Meta(
            description="Create it, so that this cluster owns it. With false, it must exist already: say "
            "which by `pool`."
        ),
    ] = True
    pool: (
        Annotated[ResourceName, Meta(description="Name of an existing storage pool, with create: false.")]
        | UnsetType
    ) = UNSET
    type: Annotated[
        Literal["hyperdisk-balanced", "hyperdisk-throughput"],
        Meta(
            description="Type of the disks in it.",
            extra_json_schema={
                "enumDescriptions": {
                    "hyperdisk-balanced": "For most; also for boot disks.",
                    "hyperdisk-throughput": "For large files at a low price.",
                }
            },
        ),
    ] = "hyperdisk-balanced"
    zone: Annotated[Zone, Meta(description="Zone of the pool. Left out: the cluster's zone.")] | UnsetType = (
        UNSET
    )
    size_gb: (
        Annotated[
            int,
            Meta(
                ge=1024,
                description="Capacity of a created pool, in GiB: from 10240 on, in steps of 1024. It can "
                "grow later.",
                examples=[10240],
            ),
        ]
        | UnsetType
    ) = UNSET
    throughput_mbps: (
        Annotated[
            int,
            Meta(
                ge=0,
                description="Throughput of a created pool, in MiB/s, for all its disks together; what each "
                "disk has anyway does not count.",
                examples=[1024],
            ),
        ]
        | UnsetType
    ) = UNSET
    iops: (
        Annotated[
            int,
            Meta(
                ge=0,
                description="IOPS of a created pool of type hyperdisk-balanced, for all its disks together; "
                "what each disk has anyway does not count.",
                examples=[10000],
            ),
        ]
        | UnsetType
    ) = UNSET
    capacity: Annotated[
        Provisioning,
        Meta(
            description="What counts of the disks in a created pool. Cannot be changed later.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "Their sizes.",
                    "advanced": "What is written to them, after it was made smaller.",
                }
            },
        ),
    ] = "advanced"
    performance: Annotated[
        Provisioning,
        Meta(
            description="What counts of their performance. Cannot be changed later.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "What each disk was given.",
                    "advanced": "What is used of it.",
                }
            },
        ),
    ] = "advanced"
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse whatever would destroy it. Without, its name must stand in "
            "`storage.may_lose` as well. A pool with disks in it is never destroyed."
        ),
    ] = True


class DiskClass(Part, frozen=True, kw_only=True):
    """A storage class of Kubernetes: by its name, manifests of anybody claim disks."""

    name: Annotated[
        str,
        looks_like(
            "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
            "the name of a storage class: 1 to 63 lower-case letters, digits and hyphens",
            "fast",
        ),
        Meta(description="Name of the storage class, as `storageClassName` of claims says it."),
    ]
    type: Annotated[
        Literal[
            "pd-standard",
            "pd-balanced",
            "pd-ssd",
            "hyperdisk-balanced",
            "hyperdisk-extreme",
            "hyperdisk-throughput",
        ],
        Meta(
            description="Type of the disks.",
            extra_json_schema={
                "enumDescriptions": {
                    "pd-standard": "Hard disk: slow, cheap.",
                    "pd-balanced": "SSD: balances price and performance.",
                    "pd-ssd": "SSD: the fastest Persistent Disk.",
                    "hyperdisk-balanced": "For most uses: 3,000 to 160,000 IOPS.",
                    "hyperdisk-extreme": "For databases: up to 350,000 IOPS.",
                    "hyperdisk-throughput": "For large files at a low price: 2 TiB and more.",
                }
            },
        ),
    ] = "hyperdisk-balanced"
    iops: disks.Iops | UnsetType = UNSET
    throughput_mbps: disks.Throughput | UnsetType = UNSET
    pool: InPool | UnsetType = UNSET
    reclaim_policy: Annotated[
        Literal["delete", "retain"],
        Meta(
            description="What becomes of a disk when its claim is deleted.",
            extra_json_schema={
                "enumDescriptions": {
                    "delete": "It is deleted, with what is on it.",
                    "retain": "It stays until somebody deletes it by hand.",
                }
            },
        ),
    ] = "delete"
    binding: Annotated[
        Literal["first_use", "immediate"],
        Meta(
            description="When a disk is made.",
            extra_json_schema={
                "enumDescriptions": {
                    "first_use": "When the first pod needs it, in the zone of that pod.",
                    "immediate": "With the claim, in any zone that the class allows.",
                }
            },
        ),
    ] = "first_use"
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones where disks may be. Left out: that of the pool, or all zones of the cluster.",
            examples=[["us-central1-a"]],
        ),
    ] = ()
    default: Annotated[
        bool,
        Meta(description="Whether claims that name no class get this one, in place of GKE's own."),
    ] = False
