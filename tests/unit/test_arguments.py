"""Arguments of fields of plans."""

from typing import Annotated, Literal

from clusterprint.plan.argument import Argument, arguments, named
from clusterprint.plan.part import PlanPart


class Inner(PlanPart, frozen=True, kw_only=True):
    """A part of a plan."""

    on: Annotated[bool, Argument("block.inner.enabled")] = False


class Plan(PlanPart, frozen=True, kw_only=True):
    """A plan of one resource."""

    name: str = "not an argument"
    size: Annotated[int, Argument("block.size_gb")] = 0
    tags: Annotated[tuple[str, ...], Argument("tags")] = ()
    level: Annotated[Literal["low", "high"] | None, Argument("level", {"low": "LOW", "high": "HIGH"})] = None
    fast: Annotated[bool, Argument("fast.enabled", {True: True})] = False
    inner: Inner | None = None


def test_what_is_empty_is_not_said() -> None:
    assert arguments(Plan()) == {}


def test_what_is_off_is_said_unless_it_has_no_word() -> None:
    assert arguments(Plan(inner=Inner(), fast=False)) == {"block": {"inner": {"enabled": False}}}
    assert arguments(Plan(fast=True)) == {"fast": {"enabled": True}}


def test_blocks_are_shared_with_parts_inside() -> None:
    found = arguments(Plan(size=10, tags=("a", "b"), level="high", inner=Inner(on=True)))
    assert found == {
        "block": {"size_gb": 10, "inner": {"enabled": True}},
        "tags": ["a", "b"],
        "level": "HIGH",
    }


def test_other_fields_name_none() -> None:
    assert [name for name, _ in named(Plan)] == ["size", "tags", "level", "fast"]
