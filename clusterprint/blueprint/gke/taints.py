"""Taints of nodes."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.gke.texts import NodeLabelKey, NodeLabelValue
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import choice


class Taint(Part, frozen=True, kw_only=True):
    """A Kubernetes taint, which keeps away pods that do not tolerate it."""

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
