"""Machines on Azure: how they are paid for, and what they start from."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.azure import ReservationGroupId
from clusterprint.blueprint.part import Part


class AzureCapacity(Part, frozen=True, kw_only=True):
    """How the machines are paid for and obtained."""

    model: Annotated[
        Literal["on_demand", "spot", "reservation"],
        Meta(
            description="Capacity model.",
            extra_json_schema={
                "enumDescriptions": {
                    "on_demand": "Created at once or not at all; runs until you delete it; list price.",
                    "spot": "Spare capacity, much cheaper; Azure takes it back at any time.",
                    "reservation": "Drawn from a capacity reservation group that you already pay for.",
                }
            },
        ),
    ] = "on_demand"
    reservation: (
        Annotated[
            ReservationGroupId,
            Meta(description="The capacity reservation group; goes with `model: reservation`."),
        ]
        | UnsetType
    ) = UNSET
    eviction_policy: (
        Annotated[
            Literal["delete", "deallocate"],
            Meta(
                description="What happens to a spot machine that Azure takes back. Left out: delete.",
                extra_json_schema={
                    "enumDescriptions": {
                        "delete": "It is deleted with its disk; the scale set may make another.",
                        "deallocate": "It stops and keeps its disk, which goes on costing, and its quota.",
                    }
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    max_price: (
        Annotated[
            float,
            Meta(
                ge=0.01,
                description="The most that a spot machine may cost, in US dollars an hour. Left out: up to "
                "the list price, so that no machine is taken back for its price.",
                examples=[12.5],
            ),
        ]
        | UnsetType
    ) = UNSET


class OsDisk(Part, frozen=True, kw_only=True):
    """The disk that a machine starts from."""

    type: Annotated[
        Literal["Premium_LRS", "StandardSSD_LRS", "Standard_LRS"],
        Meta(
            description="Disk type.",
            extra_json_schema={
                "enumDescriptions": {
                    "Premium_LRS": "SSD, fast.",
                    "StandardSSD_LRS": "SSD, cheaper.",
                    "Standard_LRS": "Hard disk; slow, cheap.",
                }
            },
        ),
    ] = "Premium_LRS"
    size_gb: Annotated[int, Meta(ge=30, le=2048, description="Size in GB.")] = 256
