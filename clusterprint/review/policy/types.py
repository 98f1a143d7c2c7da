"""What a policy file may say, as types: the source of its schema."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration
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


_MOST = "Counted for each cluster, at the most that autoscaling allows."
_MONEY = "Of each cluster, as far as known."


class Expect(Part, frozen=True, kw_only=True):
    """What each cluster that a change adds or changes has to be; left out, anything goes."""

    labels: Annotated[
        tuple[str, ...],
        Meta(
            description="Labels that each cluster has, on Azure tags; any value will do.",
            examples=[["team", "cost-center"]],
        ),
    ] = ()
    regions: Annotated[
        tuple[str, ...],
        Meta(
            description="Regions of Google Cloud and locations of Azure where clusters may be.",
            examples=[["us-central1", "southcentralus"]],
        ),
    ] = ()
    machine_families: Annotated[
        tuple[str, ...],
        Meta(
            description="Families that machines may be of: a series (`a3-ultra`, `n2`), a TPU type (`v6e`), "
            "a family of Azure (`ND H200 v5`), or what names of types begin with (`a2-highgpu`). Machines "
            "that the blueprint does not name are not meant.",
            examples=[["a3-ultra", "g2", "n2"]],
        ),
    ] = ()
    gpus: (
        Annotated[int, Meta(ge=0, description=f"At most so many GPUs. {_MOST}", examples=[64])] | UnsetType
    ) = UNSET
    tpu_chips: (
        Annotated[int, Meta(ge=0, description=f"At most so many TPU chips. {_MOST}", examples=[256])]
        | UnsetType
    ) = UNSET
    nodes: (
        Annotated[int, Meta(ge=0, description=f"At most so many nodes. {_MOST}", examples=[32])] | UnsetType
    ) = UNSET
    cost_per_hour: (
        Annotated[
            float,
            Meta(
                ge=0,
                description=f"At most so many US dollars per hour. {_MONEY}",
                examples=[500],
            ),
        ]
        | UnsetType
    ) = UNSET
    cost_per_month: (
        Annotated[
            float,
            Meta(
                ge=0,
                description=f"At most so many US dollars per month. {_MONEY}",
                examples=[100000],
            ),
        ]
        | UnsetType
    ) = UNSET
    lifetime: (
        Annotated[
            Duration,
            Meta(
                description="Machines end after so long at most: `time_to_live` of machines, and "
                "`capacity.max_run_duration` of each pool of a Kubernetes cluster.",
                examples=["14d"],
            ),
        ]
        | UnsetType
    ) = UNSET


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
    expect: Annotated[
        Expect, Meta(description="What each cluster that a change adds or changes has to be.")
    ] = Expect()
