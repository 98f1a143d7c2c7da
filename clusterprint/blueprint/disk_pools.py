"""`storage.disk_pools`: where disks come from."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import ResourceName, Zone, looks_like

PoolName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "the name of a disk pool: 1 to 20 lower-case letters, digits and hyphens, starting with a letter "
        "and not ending with a hyphen",
        "fast",
    ),
]

InPool = Annotated[
    PoolName,
    Meta(
        description="Pool of `storage.disk_pools` that the disk is created in. Left out: none.",
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
            description="How disks count toward a created pool. Cannot be changed later.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "Their sizes.",
                    "advanced": "The data that is written to them, after data reduction.",
                }
            },
        ),
    ] = "advanced"
    performance: Annotated[
        Provisioning,
        Meta(
            description="How their performance counts. Cannot be changed later.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "The provisioned performance of each disk.",
                    "advanced": "The performance that is used.",
                }
            },
        ),
    ] = "advanced"
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse whatever would destroy it. If false, its name must be "
            "in `storage.may_lose` as well. A pool with disks in it is never destroyed."
        ),
    ] = True
