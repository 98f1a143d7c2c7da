"""`storage.disk_pools`: pools that disks are created in."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Needs, Relation, case, only, when
from clusterprint.blueprint.texts import ResourceName, Zone, choice, looks_like

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
    """A Hyperdisk storage pool: capacity and performance that many disks share."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GCP116", when("name"), when("pool"), given=(when("create", False),), words="unnamed"),
        only("GCP116", "disk pool", "pool", case(create=False)),
        only(
            "GCP116",
            "disk pool",
            "size_gb throughput_mbps capacity performance deletion_protection",
            case(create=True),
        ),
        only("GCP116", "disk pool", "iops", case(create=True, type="hyperdisk-balanced")),
    )

    name: Annotated[PoolName, Meta(description="Name of the pool, unique among pools and volumes.")]
    create: Annotated[
        bool,
        Meta(
            description="Create the pool, which this cluster then owns. With false, it must exist "
            "already, named by `pool`."
        ),
    ] = True
    pool: Annotated[
        ResourceName | UnsetType,
        Meta(description="Name of an existing storage pool. Requires `create: false`."),
    ] = UNSET
    type: Annotated[
        Literal["hyperdisk-balanced", "hyperdisk-throughput"],
        choice(
            description="Type of the disks in the pool.",
            values={
                "hyperdisk-balanced": "For most uses, including boot disks.",
                "hyperdisk-throughput": "For large files at a low price.",
            },
        ),
    ] = "hyperdisk-balanced"
    zone: Annotated[Zone | UnsetType, Meta(description="Zone of the pool. Left out: the cluster's zone.")] = (
        UNSET
    )
    size_gb: Annotated[
        int | UnsetType,
        Meta(
            ge=1024,
            description="Capacity of a created pool, in GiB: from 10240 on, in steps of 1024. It can grow "
            "later.",
            examples=[10240],
        ),
    ] = UNSET
    throughput_mbps: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            description="Throughput of a created pool, in MiB/s, for all its disks together; the baseline of "
            "each disk is not counted.",
            examples=[1024],
        ),
    ] = UNSET
    iops: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            description="IOPS of a created pool of type hyperdisk-balanced, for all its disks together; the "
            "baseline of each disk is not counted.",
            examples=[10000],
        ),
    ] = UNSET
    capacity: Annotated[
        Provisioning,
        choice(
            description="How disks use up the capacity of a created pool. Cannot be changed later.",
            values={
                "standard": "By their size.",
                "advanced": "By the data written to them, after data reduction.",
            },
        ),
    ] = "advanced"
    performance: Annotated[
        Provisioning,
        choice(
            description="How disks use up the performance of a created pool. Cannot be changed later.",
            values={
                "standard": "By their provisioned performance.",
                "advanced": "By the performance that they actually use.",
            },
        ),
    ] = "advanced"
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse every change that would destroy the pool. To allow that, set this to "
            "false and list the pool in `storage.may_lose`. A pool that contains disks is never "
            "destroyed."
        ),
    ] = True
