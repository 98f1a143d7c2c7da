"""Compute classes: what workloads ask for, and the pools that give it, best first."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part


class ComputeClass(Part, frozen=True, kw_only=True):
    """A compute class. Its pools get the label and the taint that belong to it."""

    name: Annotated[
        KubernetesName,
        Meta(
            description="Name of the class, which workloads select by the label "
            "`cloud.google.com/compute-class`.",
            examples=["h200"],
        ),
    ]
    prefer: Annotated[
        tuple[PoolName, ...],
        Meta(
            min_length=1,
            description="Node pools, in the order in which they are tried.",
            examples=[["spot", "flex"]],
        ),
    ]
    when_unsatisfiable: Annotated[
        Literal["do_not_scale_up", "scale_up_anyway"],
        Meta(
            description="What happens to pods that none of the pools has room for.",
            extra_json_schema={
                "enumDescriptions": {
                    "do_not_scale_up": "They wait.",
                    "scale_up_anyway": "They run on whatever nodes the cluster can get.",
                }
            },
        ),
    ] = "do_not_scale_up"
    migrate: Annotated[
        bool,
        Meta(description="Whether running pods move to a more preferred pool as soon as it has room."),
    ] = False
