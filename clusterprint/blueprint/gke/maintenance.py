"""When Google may and may not upgrade a cluster."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import ExactlyOne, Excludes, Forbids, Relation, Unique, Within, when
from clusterprint.blueprint.texts import Duration, Moment, ResourceName, choice, looks_like

Recurrence = Annotated[
    str,
    looks_like(
        "^FREQ=(DAILY|WEEKLY)(;[A-Z]+=[-,A-Z0-9]+)*$",
        "a recurrence rule (RFC 5545), such as FREQ=WEEKLY;BYDAY=SA,SU",
        "FREQ=WEEKLY;BYDAY=SA,SU",
    ),
]


class MaintenanceWindow(Part, frozen=True, kw_only=True):
    """A recurring maintenance window."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE076", when("start"), (when("@no_start"),)),
        Forbids("GKE076", when("end"), (when("@no_end"),), words="end"),
        Excludes("GKE077", when("end"), when("start"), (when("@is_reversed"),)),
        Excludes("GKE082", when("end"), when("start"), (when("@short_hours"),)),
    )

    start: Annotated[Moment, Meta(description="Start of the first window.")]
    end: Annotated[Moment, Meta(description="End of the first window.", examples=["2026-12-01T06:00:00Z"])]
    recurrence: Annotated[Recurrence, Meta(description="How the window recurs (RFC 5545).")]


class MaintenanceExclusion(Part, frozen=True, kw_only=True):
    """A period without upgrades, for example during a long training run."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE076", when("start"), (when("@no_start"),)),
        Forbids("GKE076", when("end"), (when("@no_end"),), words="end"),
        Excludes("GKE077", when("end"), when("start"), (when("@is_reversed"),)),
        Excludes("GKE078", when("end"), when("scope", "no_upgrades"), (when("@too_many_days"),)),
        Excludes("GKE271", when("scope", "no_upgrades"), when("until_end_of_support")),
        ExactlyOne("GKE270", ("end", "until_end_of_support")),
    )

    name: Annotated[ResourceName, Meta(description="Name of the exclusion.", examples=["training"])]
    start: Annotated[Moment, Meta(description="Start of the exclusion.")]
    end: Annotated[
        Moment | UnsetType,
        Meta(
            description="End of the exclusion. Left out with `until_end_of_support`.",
            examples=["2027-02-28T00:00:00Z"],
        ),
    ] = UNSET
    until_end_of_support: Annotated[
        bool,
        Meta(
            description="Exclude upgrades until the end of support of the cluster's minor version; after "
            "an upgrade, until the end of support of the new one."
        ),
    ] = False
    scope: Annotated[
        Literal["no_upgrades", "no_minor_upgrades", "no_minor_or_node_upgrades"],
        choice(
            description="Upgrades that are excluded.",
            values={
                "no_upgrades": "All upgrades, for at most 90 days.",
                "no_minor_upgrades": "Minor version upgrades. Patches are still applied.",
                "no_minor_or_node_upgrades": "Minor version upgrades and all node upgrades: suits long "
                "training runs.",
            },
        ),
    ] = "no_minor_or_node_upgrades"


class DisruptionBudget(Part, frozen=True, kw_only=True):
    """The shortest time between two automatic upgrades of the cluster: at most 90 days."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *(
            Within("GKE272", f"@seconds_of_{each}", most="@most_seconds_between", words=each)
            for each in ("minor", "patch")
        ),
    )

    minor: Annotated[
        Duration | UnsetType,
        Meta(
            description="Time between upgrades of the minor version. Left out: GKE's default, 30 days.",
            examples=["60d"],
        ),
    ] = UNSET
    patch: Annotated[
        Duration | UnsetType,
        Meta(description="Time between patches. Left out: GKE's default, 24 hours.", examples=["14d"]),
    ] = UNSET


class Maintenance(Part, frozen=True, kw_only=True):
    """When Google may and may not upgrade the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Forbids("GKE080", when("exclusions"), (when("@too_many_exclusions"),)),
        Excludes("GKE081", when("daily_start"), when("window")),
        Unique("GKE079", "exclusions", "there are two exclusions called {item.name}"),
    )

    daily_start: Annotated[
        str | UnsetType,
        looks_like("^([01][0-9]|2[0-3]):[0-5][0-9]$", "a time of day in UTC, such as 03:00", "03:00"),
        Meta(description="Start of a daily four-hour window, in UTC."),
    ] = UNSET
    window: Annotated[
        MaintenanceWindow | UnsetType,
        Meta(description="A custom recurring window. Alternative to `daily_start`."),
    ] = UNSET
    exclusions: Annotated[
        tuple[MaintenanceExclusion, ...],
        Meta(description="Periods without upgrades. Requires a release channel."),
    ] = ()
    disruption_budget: Annotated[
        DisruptionBudget, Meta(description="Minimum time between two automatic upgrades.")
    ] = DisruptionBudget()
