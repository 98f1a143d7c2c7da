"""The types of policy files: the source of their schema."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, choice
from clusterprint.review.policy.names import FORBIDDABLE

ForbidName = Annotated[
    str, Meta(extra_json_schema={"enum": list(FORBIDDABLE), "enumDescriptions": dict(FORBIDDABLE)})
]

_MORE = "Counted over all clusters of a change; reductions in one cluster offset increases in another."


class Limits(Part, frozen=True, kw_only=True):
    """Limits on how much a single change may add."""

    gpus: Annotated[
        int | UnsetType, Meta(ge=0, description=f"Maximum number of additional GPUs. {_MORE}", examples=[16])
    ] = UNSET
    tpu_chips: Annotated[
        int | UnsetType,
        Meta(ge=0, description=f"Maximum number of additional TPU chips. {_MORE}", examples=[64]),
    ] = UNSET
    nodes: Annotated[
        int | UnsetType, Meta(ge=0, description=f"Maximum number of additional nodes. {_MORE}", examples=[8])
    ] = UNSET
    cost_per_hour: Annotated[
        float | UnsetType,
        Meta(
            ge=0,
            description="Maximum number of additional US dollars per hour, as far as known.",
            examples=[100],
        ),
    ] = UNSET
    cost_per_month: Annotated[
        float | UnsetType,
        Meta(
            ge=0,
            description="Maximum number of additional US dollars per month, as far as known.",
            examples=[50000],
        ),
    ] = UNSET
    unknown_cost: Annotated[
        Literal["allow", "forbid"],
        choice(
            description="Verdict on a change whose cost is not known.",
            values={
                "allow": "Only known cost counts.",
                "forbid": "It must be allowed explicitly.",
            },
        ),
    ] = "allow"


_MOST = "Counted per cluster, with autoscaling at its maximum."
_MONEY = "Per cluster, as far as known."


class Expect(Part, frozen=True, kw_only=True):
    """Requirements for each cluster that a change adds or changes; left out, there are none."""

    labels: Annotated[
        tuple[str, ...],
        Meta(
            description="Labels that each cluster must have (on Azure: tags), with any value.",
            examples=[["team", "cost-center"]],
        ),
    ] = ()
    regions: Annotated[
        tuple[str, ...],
        Meta(
            description="Allowed Google Cloud regions and Azure locations.",
            examples=[["us-central1", "southcentralus"]],
        ),
    ] = ()
    machine_families: Annotated[
        tuple[str, ...],
        Meta(
            description="Allowed machine families: a series (`a3-ultra`, `n2`), a TPU type (`v6e`), an "
            "Azure family (`ND H200 v5`), or a prefix of type names (`a2-highgpu`). Only machines that "
            "the blueprint names are checked.",
            examples=[["a3-ultra", "g2", "n2"]],
        ),
    ] = ()
    gpus: Annotated[
        int | UnsetType, Meta(ge=0, description=f"Maximum number of GPUs. {_MOST}", examples=[64])
    ] = UNSET
    tpu_chips: Annotated[
        int | UnsetType, Meta(ge=0, description=f"Maximum number of TPU chips. {_MOST}", examples=[256])
    ] = UNSET
    nodes: Annotated[
        int | UnsetType, Meta(ge=0, description=f"Maximum number of nodes. {_MOST}", examples=[32])
    ] = UNSET
    cost_per_hour: Annotated[
        float | UnsetType,
        Meta(ge=0, description=f"Maximum cost in US dollars per hour. {_MONEY}", examples=[500]),
    ] = UNSET
    cost_per_month: Annotated[
        float | UnsetType,
        Meta(ge=0, description=f"Maximum cost in US dollars per month. {_MONEY}", examples=[100000]),
    ] = UNSET
    lifetime: Annotated[
        Duration | UnsetType,
        Meta(
            description="Maximum lifetime: `time_to_live` of machines, and `capacity.max_run_duration` of "
            "each pool of a Kubernetes cluster.",
            examples=["14d"],
        ),
    ] = UNSET


class PolicyFile(Part, frozen=True, kw_only=True):
    """The effects of blueprint changes that need no explicit approval.

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
    limits: Annotated[Limits, Meta(description="Limits on how much a single change may add.")] = Limits()
    scenarios: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=255)], ...],
        Meta(
            description="Scenarios of `clusterprint what-if` that reviews compare before and after a change: "
            "names of shipped ones, or files beside the policy.",
            examples=[["spot-storm", "bad-week.yaml"]],
        ),
    ] = ()
    expect: Annotated[
        Expect, Meta(description="Requirements for each cluster that a change adds or changes.")
    ] = Expect()
