"""Taints of nodes."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from clusterprint.blueprint.gke.texts import NodeLabelKey, NodeLabelValue
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Forbids, Relation, when
from clusterprint.blueprint.texts import choice


class Taint(Part, frozen=True, kw_only=True):
    """A Kubernetes taint, which keeps away pods that do not tolerate it."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE045", when("key"), (when("@is_of_controller"),)),
    )

    key: Annotated[NodeLabelKey, Meta(description="Key of the taint.", examples=["dedicated"])]
    value: Annotated[NodeLabelValue, Meta(description="Value of the taint.", examples=["training"])]
    effect: Annotated[
        Literal["no_schedule", "prefer_no_schedule", "no_execute"],
        choice(
            description="Effect on pods that do not tolerate the taint.",
            values={
                "no_schedule": "They are not scheduled here.",
                "prefer_no_schedule": "They are scheduled here only if no other node has room.",
                "no_execute": "They are not scheduled here, and running ones are evicted.",
            },
        ),
    ] = "no_schedule"
