"""Automatic updates of the machines of `kind: vm` and `kind: vmss`."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Relation, unless, when
from clusterprint.blueprint.texts import Moment, choice, looks_like

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
