"""Upgrades of the nodes of a pool."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, choice


class BlueGreen(Part, frozen=True, kw_only=True):
    """The pace of a blue-green upgrade."""

    batch_nodes: Annotated[
        int, Meta(ge=1, le=1000, description="Number of nodes that are drained at the same time.")
    ] = 1
    batch_soak: Annotated[Duration, Meta(description="Wait time after each batch.")] = "5m"
    pool_soak: Annotated[
        Duration,
        Meta(
            description="Wait time before the old nodes are deleted; until then the upgrade can be rolled "
            "back."
        ),
    ] = "1h"


class Upgrades(Part, frozen=True, kw_only=True):
    """How nodes are upgraded."""

    strategy: Annotated[
        Literal["surge", "blue_green"],
        choice(
            description="How nodes are replaced.",
            values={
                "surge": "A few nodes at a time.",
                "blue_green": "A second set of nodes is created first; needs capacity for both sets.",
            },
        ),
    ] = "surge"
    max_surge: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=20,
            description="Additional nodes during an upgrade. Left out: 0 for accelerator pools, because "
            "spare accelerators are rarely available; otherwise 1.",
            examples=[1],
        ),
    ] = UNSET
    max_unavailable: Annotated[
        int | UnsetType,
        Meta(
            ge=0,
            le=20,
            description="Nodes that may be unavailable at the same time. Left out: 1 if `max_surge` is 0, "
            "otherwise 0.",
            examples=[1],
        ),
    ] = UNSET
    blue_green: Annotated[
        BlueGreen, Meta(description="The pace of the upgrade. Requires `strategy: blue_green`.")
    ] = BlueGreen()
    exclude_until_end_of_support: Annotated[
        bool,
        Meta(
            description="Do not upgrade the nodes of this pool until the end of support of the cluster's "
            "version. Other pools are upgraded as usual."
        ),
    ] = False


class PoolUpdate(Part, frozen=True, kw_only=True):
    """How changes are made that need other nodes."""

    strategy: Annotated[
        Literal["replace", "roll"],
        choice(
            description="The way to other nodes.",
            values={
                "replace": "As GKE and Terraform do it: some changes in place, by `upgrades`; for the others "
                "the pool is deleted before it is created.",
                "roll": "`up` creates a new pool beside the old one, then GKE drains and deletes the old "
                "one. Both need capacity. Setting it, or removing it, rolls the pool once.",
            },
        ),
    ] = "replace"


class NodeDrain(Part, frozen=True, kw_only=True):
    """How nodes are emptied when their pool is deleted."""

    respect_disruption_budgets: Annotated[
        bool | UnsetType,
        Meta(
            description="Respect PodDisruptionBudgets, as upgrades do, instead of evicting all pods at once. "
            "Left out: true for pools that roll.",
            examples=[True],
        ),
    ] = UNSET
