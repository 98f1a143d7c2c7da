"""How the nodes of a pool are brought to a new version."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration


class BlueGreen(Part, frozen=True, kw_only=True):
    """The pace of a blue-green upgrade."""

    batch_nodes: Annotated[int, Meta(ge=1, le=1000, description="Nodes that are drained at once.")] = 1
    batch_soak: Annotated[Duration, Meta(description="Wait after each batch.")] = "5m"
    pool_soak: Annotated[
        Duration, Meta(description="Wait before the old nodes go; until then there is a way back.")
    ] = "1h"


class Upgrades(Part, frozen=True, kw_only=True):
    """How nodes are brought to a new version."""

    strategy: Annotated[
        Literal["surge", "blue_green"],
        Meta(
            description="How nodes are replaced.",
            extra_json_schema={
                "enumDescriptions": {
                    "surge": "A few at a time.",
                    "blue_green": "A second set of nodes is made first; needs room for both.",
                }
            },
        ),
    ] = "surge"
    max_surge: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=20,
                description="Nodes made in advance. Left out: 0 for accelerators, of which there are none to "
                "spare, else 1.",
                examples=[1],
            ),
        ]
        | UnsetType
    ) = UNSET
    max_unavailable: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=20,
                description="Nodes that may be missing at the same time. Left out: 1 where `max_surge` is 0, "
                "else 0.",
                examples=[1],
            ),
        ]
        | UnsetType
    ) = UNSET
    blue_green: Annotated[BlueGreen, Meta(description="The pace, with `strategy: blue_green`.")] = BlueGreen()
