"""Fields of every blueprint."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.backend import Backend
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Refuses, Relation
from clusterprint.blueprint.texts import ClusterName, LabelKey, LabelValue


class Budget(Part, frozen=True, kw_only=True):
    """The most that a cluster may cost."""

    per_month: Annotated[
        float,
        Meta(
            ge=1,
            le=1_000_000_000,
            description="US dollars a month at list prices, with all nodes that autoscaling may add. "
            "Reviews, `plan` and `up` warn of a change that may cost more (the risk `over_budget`, which a "
            "policy can forbid); `status` compares the running nodes.",
            examples=[50000],
        ),
    ]


class Blueprint(Part, frozen=True, kw_only=True):
    """A cluster, as described by its owners."""

    relations: ClassVar[tuple[Relation, ...]] = (Refuses("BP200", "labels", "one_of", ("BP200",)),)

    # What the stacks of a kind with several are called after the name of the cluster.
    stacks: ClassVar[tuple[str, ...]] = ()

    clusterprint: Annotated[
        Literal["v1"],
        Meta(
            description="Version of the blueprint language; the first line of every blueprint.",
            examples=["v1"],
        ),
    ]
    # Each kind narrows it to its own word.
    kind: str
    name: Annotated[
        ClusterName,
        Meta(description="Name of the cluster. The names of all its resources begin with it."),
    ]
    backend: Annotated[Backend, Meta(description="Where the Terraform state is stored.")]
    labels: Annotated[
        dict[LabelKey, LabelValue],
        Meta(
            description="Labels of every resource that supports them, for example to attribute cost.",
            examples=[{"team": "ml"}],
        ),
    ] = {}
    budget: Annotated[
        Budget | UnsetType,
        Meta(description="The most that the cluster may cost.", examples=[{"per_month": 50000}]),
    ] = UNSET
