"""Automatic updates of the machines of `kind: vm` and `kind: vmss`."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Needs, Relation, unless, when
from clusterprint.blueprint.texts import Duration, Moment, choice, looks_like

_DAY = "(MO|TU|WE|TH|FR|SA|SU)"


class UpdateWindow(Part, frozen=True, kw_only=True):
    """A recurring maintenance window."""

    start: Annotated[
        Moment,
        Meta(description="Start of the first window. The others start at the same time of day, in UTC."),
    ]
    end: Annotated[
        Moment,
        Meta(
            description="End of the first window. The package in progress is finished, and no other begun.",
            examples=["2026-12-01T06:00:00Z"],
        ),
    ]
    recurrence: Annotated[
        str,
        looks_like(
            f"^FREQ=(DAILY|WEEKLY(;BYDAY={_DAY}(,{_DAY})*)?)$",
            "a recurrence of each day or of days of the week, such as FREQ=DAILY or FREQ=WEEKLY;BYDAY=SA,SU",
            "FREQ=WEEKLY;BYDAY=TU",
        ),
        Meta(description="How the window recurs (RFC 5545): each day, or on days of the week."),
    ]


class Updates(Part, frozen=True, kw_only=True):
    """Automatic updates of the machines' packages."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("BP251", when("window"), unless("mode", "security"), instead=""),
    )

    mode: Annotated[
        Literal["hold", "security", "image"],
        choice(
            description="Updates that running machines install by themselves.",
            values={
                "hold": "Nothing, so that no job loses its driver. New machines boot the updates of their "
                "image.",
                "security": "Security updates, except of kernel, GPU drivers and libraries, RDMA, MPI, "
                "Lustre and Docker.",
                "image": "Whatever the image is set to update.",
            },
        ),
    ] = "hold"
    window: Annotated[
        UpdateWindow | UnsetType,
        Meta(
            description="When security updates are installed. Left out: each day between 6:00 and 7:00 UTC."
        ),
    ] = UNSET


#: A number of nodes, or a percentage.
Batch = Annotated[
    int | str,
    Meta(
        extra_json_schema={
            "type": ["integer", "string"],
            "minimum": 1,
            "pattern": "^([1-9][0-9]?|100)%$",
            "patternErrorMessage": "a number of nodes, or a percentage such as 20%",
        }
    ),
]


class MachineUpdate(Part, frozen=True, kw_only=True):
    """How changes reach running nodes. As a text, it is the strategy."""

    shorthand: ClassVar[str] = "strategy"
    relations: ClassVar[tuple[Relation, ...]] = tuple(
        Needs("BP276", when(field), when("strategy", "roll")) for field in ("batch", "wait")
    )

    strategy: Annotated[
        Literal["opportunistic", "proactive", "roll"],
        choice(
            description="When running nodes are recreated with a change (image, machine, script, disk).",
            values={
                "opportunistic": "When a node is next recreated. Running jobs are never interrupted.",
                "proactive": "Immediately, one node after the other.",
                "roll": "Immediately, in batches. Where health checks repair nodes, a batch must be healthy "
                "before the next one.",
            },
        ),
    ]
    batch: Annotated[
        Batch | UnsetType,
        Meta(
            description="Most nodes that are recreated at a time, in each zone: a number, or a percentage. "
            "Left out: one, on Azure 20%.",
            examples=[4],
        ),
    ] = UNSET
    wait: Annotated[
        Duration | UnsetType,
        Meta(description="Time between two batches, on Azure. Left out: none.", examples=["10m"]),
    ] = UNSET


#: The field `update` of nodes: a map, or a text that is a strategy.
UpdateOrStrategy = Annotated[
    MachineUpdate,
    Meta(
        extra_json_schema={
            "type": ["object", "string"],
            "pattern": "^(opportunistic|proactive|roll)$",
            "patternErrorMessage": "opportunistic, proactive or roll",
        }
    ),
]
