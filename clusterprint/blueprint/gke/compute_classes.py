"""Compute classes: each maps a name that workloads request to node pools, in order of preference."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.gke.texts import KubernetesName, PoolName
from clusterprint.blueprint.part import Part


class ComputeClass(Part, frozen=True, kw_only=True):
    """A compute class. Its node pools get the label and the taint of the class."""

    name: Annotated[
        KubernetesName,
        Meta(
            description="Name of the class. Workloads select it with the label "
            "`cloud.google.com/compute-class`.",
            examples=["h200"],
        ),
    ]
    prefer: Annotated[
        tuple[PoolName, ...],
        Meta(
            min_length=1,
            description="Node pools, in order of preference.",
            examples=[["spot", "flex"]],
        ),
    ]
    when_unsatisfiable: Annotated[
        Literal["do_not_scale_up", "scale_up_anyway"],
        Meta(
            description="What happens to pods when none of the pools has room.",
            extra_json_schema={
                "enumDescriptions": {
                    "do_not_scale_up": "They wait.",
                    "scale_up_anyway": "They run on any nodes that the cluster can get.",
                }
            },
        ),
    ] = "do_not_scale_up"
    migrate: Annotated[
        bool,
        Meta(description="Move running pods to a more preferred pool as soon as it has room."),
    ] = False
