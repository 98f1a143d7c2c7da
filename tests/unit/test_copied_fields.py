"""Fields that are copied from a blueprint to a plan."""

from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.plan.part import PlanPart
from clusterprint.resolve.copied_fields import carried


class Inner(Part, frozen=True, kw_only=True):
    """A part that is a slice of its own in the plan."""

    size: int = 1


class Said(Part, frozen=True, kw_only=True):
    """A part of a blueprint."""

    plain: Annotated[bool, Meta(description="Carried.")] = True
    names: tuple[str, ...] = ("a",)
    optional: int | UnsetType = UNSET
    without_default: int | UnsetType = UNSET
    level: Literal["low", "high"] = "low"
    inner: Inner = Inner()
    of_the_blueprint_only: bool = True


class InnerPlan(PlanPart, frozen=True, kw_only=True):
    """Not the part."""

    size: int = 2


class Plan(PlanPart, frozen=True, kw_only=True):
    """A part of a plan."""

    plain: bool
    names: tuple[str, ...]
    without_default: int
    level: str
    optional: int = 0
    inner: InnerPlan = InnerPlan()
    of_the_plan_only: int = 3


def test_fields_of_one_name_and_type_are_carried() -> None:
    assert carried(Plan, Said(plain=False, optional=7)) == {"plain": False, "names": ("a",), "optional": 7}


def test_what_is_left_out_is_left_to_the_default() -> None:
    plan = Plan(**carried(Plan, Said()), without_default=1, level="LOW")
    assert (plan.optional, plan.inner.size, plan.of_the_plan_only) == (0, 2, 3)


def test_what_has_to_be_decided_is_missed_when_nobody_does() -> None:
    with pytest.raises(TypeError, match="without_default"):
        Plan(**carried(Plan, Said(without_default=1)), level="LOW")


def test_nothing_is_both_carried_and_decided() -> None:
    with pytest.raises(TypeError, match="multiple values"):
        Plan(**carried(Plan, Said()), plain=True, without_default=1, level="LOW")
    assert "plain" not in carried(Plan, Said(), "plain")
