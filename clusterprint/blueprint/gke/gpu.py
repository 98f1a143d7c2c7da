"""Configuration and sharing of a pool's GPUs."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Relation, when
from clusterprint.blueprint.texts import choice, looks_like


class GpuSharing(Part, frozen=True, kw_only=True):
    """Several containers on one GPU."""

    strategy: Annotated[
        Literal["time_sharing", "mps"],
        choice(
            description="How containers share a GPU.",
            values={
                "time_sharing": "In turns: containers get time slices of the whole GPU.",
                "mps": "At the same time, each with a share of memory and threads (NVIDIA MPS).",
            },
        ),
    ]
    max_clients: Annotated[
        int, Meta(ge=2, le=48, description="Maximum number of containers per GPU.", examples=[4])
    ]


class GpuSettings(Part, frozen=True, kw_only=True):
    """How GPUs are configured and shared."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE034", when("sharing.strategy", "mps"), when("partition_size")),
    )

    driver: Annotated[
        Literal["default", "latest", "none"],
        choice(
            description="NVIDIA driver that GKE installs.",
            values={
                "default": "The driver that GKE recommends for the cluster's version.",
                "latest": "The newest driver that GKE offers.",
                "none": "No driver: you install it yourself.",
            },
        ),
    ] = "latest"
    sharing: Annotated[GpuSharing | UnsetType, Meta(description="Let several containers share a GPU.")] = (
        UNSET
    )
    partition_size: Annotated[
        str | UnsetType,
        looks_like(
            "^[1-9]g\\.[0-9]+gb$", "the size of a MIG partition, such as 1g.10gb", "1g.10gb", "3g.40gb"
        ),
        Meta(description="Split each GPU into partitions of this size (MIG)."),
    ] = UNSET
