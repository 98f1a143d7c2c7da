"""Machines on Azure: how they are paid for, and their OS disks."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import ReservationGroupId, Size
from clusterprint.blueprint.machines import FALLBACKS, TYPES, Patience
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Needs, Refuses, Relation, case, only, unwritten, when
from clusterprint.blueprint.texts import Duration, choice


class AzureModel(Part, frozen=True, kw_only=True):
    """How the machines are obtained and billed."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("AZ014", when("model", "reservation"), when("reservation"), words="unnamed"),
        only("AZ014", "capacity", "reservation", case(model="reservation"), plural="capacity"),
        only(
            "AZ015",
            "capacity",
            "eviction_policy max_price spot_restore",
            case(model="spot"),
            plural="capacity",
        ),
        Refuses("AZ093", "spot_restore", "outside", ("15m", "2h", "1m")),
    )

    model: Annotated[
        Literal["on_demand", "spot", "reservation"],
        choice(
            description="Capacity model.",
            values={
                "on_demand": "Created immediately or not at all; runs until deleted; list price.",
                "spot": "Spare capacity at a large discount; Azure can evict it at any time.",
                "reservation": "Taken from a capacity reservation group that you already pay for.",
            },
        ),
    ] = "on_demand"
    reservation: Annotated[
        ReservationGroupId | UnsetType,
        Meta(description="Capacity reservation group to use. Requires `model: reservation`."),
    ] = UNSET
    eviction_policy: Annotated[
        Literal["delete", "deallocate"] | UnsetType,
        choice(
            description="Action on an evicted spot machine. Left out: delete.",
            values={
                "delete": "It is deleted with its disk; the scale set may create another.",
                "deallocate": "It is stopped. Its disk is kept and billed, and it still counts against the "
                "quota.",
            },
        ),
    ] = UNSET
    max_price: Annotated[
        float | UnsetType,
        Meta(
            ge=0.01,
            description="Maximum price of a spot machine, in US dollars per hour. Left out: the list price, "
            "so that no machine is evicted because of its price.",
            examples=[12.5],
        ),
    ] = UNSET
    spot_restore: Annotated[
        Duration | UnsetType,
        Meta(
            description="How long Azure tries to restore an evicted spot machine of a uniform scale set: 15m "
            "to 2h. Left out: it does not try.",
            examples=["1h"],
        ),
    ] = UNSET


Sizes = Annotated[
    tuple[Size, ...],
    Meta(
        max_length=4,
        description=TYPES,
        examples=[["Standard_NC40ads_H100_v5"]],
    ),
]


class AzureFallback(AzureModel, frozen=True, kw_only=True):
    """Another way to obtain the machines, if there is no capacity for the one before it."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("BP273", when("zone"), when("/head_node.in_scale_set", False)),
        Excludes("BP277", when("size"), when("sizes")),
    )

    zone: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=3,
            description="Availability zone of the nodes with this fallback, where the head is one of them. "
            "Left out: that of the nodes.",
            examples=[2],
        ),
    ] = UNSET
    size: Annotated[
        Size | UnsetType,
        Meta(
            description="VM size with this fallback. Left out: that of the nodes.",
            examples=["Standard_NC24ads_A100_v4"],
        ),
    ] = UNSET
    sizes: Sizes = ()


class AzureCapacity(AzureModel, frozen=True, kw_only=True):
    """How the machines are obtained, and in which other ways if there is no capacity for that."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("BP270", when("patience"), when("fallbacks"), (unwritten("sizes"),)),
    )

    sizes: Sizes = ()

    fallbacks: Annotated[
        tuple[AzureFallback, ...],
        Meta(max_length=8, description=FALLBACKS, examples=[[{"model": "spot"}]]),
    ] = ()
    patience: Patience = UNSET


class OsDisk(Part, frozen=True, kw_only=True):
    """OS disk of a machine."""

    type: Annotated[
        Literal["Premium_LRS", "StandardSSD_LRS", "Standard_LRS"],
        choice(
            description="Disk type.",
            values={
                "Premium_LRS": "Premium SSD: fast.",
                "StandardSSD_LRS": "Standard SSD: cheaper.",
                "Standard_LRS": "Hard disk: slow, cheap.",
            },
        ),
    ] = "Premium_LRS"
    size_gb: Annotated[int, Meta(ge=30, le=2048, description="Size in GB.")] = 256
