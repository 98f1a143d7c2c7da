"""What a policy file may say, as types: the source of its schema."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.review.policy.names import FORBIDDABLE

ForbidName = Annotated[
    str, Meta(extra_json_schema={"enum": list(FORBIDDABLE), "enumDescriptions": dict(FORBIDDABLE)})
]

_MORE = "Counted over all clusters of a change; what one loses makes room for another."


class Limits(Part, frozen=True, kw_only=True):
    """How much more one change may ask for."""

    gpus: (
        Annotated[int, Meta(ge=0, description=f"At most so many GPUs more. {_MORE}", examples=[16])]
        | UnsetType
    ) = UNSET
    tpu_chips: (
        Annotated[int, Meta(ge=0, description=f"At most so many TPU chips more. {_MORE}", examples=[64])]
        | UnsetType
    ) = UNSET
    nodes: (
        Annotated[int, Meta(ge=0, description=f"At most so many nodes more. {_MORE}", examples=[8])]
        | UnsetType
    ) = UNSET
    cost_per_hour: (
        Annotated[
            float,
            Meta(
                ge=0, description="At most so many US dollars more per hour, as far as known.", examples=[100]
            ),
        ]
        | UnsetType
    ) = UNSET
    cost_per_month: (
        Annotated[
            float,
            Meta(
                ge=0,
                description="At most so many US dollars more per month, as far as known.",
                examples=[50000],
            ),
        ]
        | UnsetType
    ) = UNSET
    unknown_cost: Annotated[
        Literal["allow", "forbid"],
        Meta(
            description="What to do with a change whose cost is not known.",
            extra_json_schema={
                "enumDescriptions": {
                    "allow": "Only what is known counts.",
                    "forbid": "Somebody has to allow it.",
                }
            },
        ),
    ] = "allow"


class PolicyFile(Part, frozen=True, kw_only=True):
    """What a change to blueprints may do without anybody having to allow it.

    All policies from the root of the repository down to a blueprint apply together, as the base has them.
    """

    policy: Annotated[
        Literal["v1"],
        Meta(description="Version of the policy language. The first line of every policy.", examples=["v1"]),
    ]
    forbid: Annotated[
        tuple[ForbidName, ...],
        Meta(
            description="Risks that a change must not have unless --allow names them.",
            examples=[["data_loss", "replacement", "public_ssh"]],
        ),
    ] = ()
    limits: Annotated[Limits, Meta(description="How much more one change may ask for.")] = Limits()
