"""Fields that a plan has just as a blueprint says them: nothing is decided about them."""

from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.plan.slice import Slice


def carried(plan: type[Slice], part: Part, *decided: str) -> dict[str, Any]:
    """The arguments of a plan that have the name and the type of a field of a part, without those `decided`.

    What may be left out of the blueprint is carried only into fields with a default, and only if it is given.
    Texts of few values are of another type in a plan that holds Google's words for them: they are decided.
    What is both carried and passed to the plan raises TypeError there.
    """
    values = {name: getattr(part, name) for name in _alike(plan, type(part)) if name not in decided}
    return {name: value for name, value in values.items() if value is not UNSET}


@cache
def _alike(plan: type[Slice], part: type[Part]) -> tuple[str, ...]:
    hints = get_type_hints(part)
    wanted = {each.name: each for each in msgspec.structs.fields(plan)}
    return tuple(
        name
        for name, field in wanted.items()
        if name in hints
        and (hints[name] == field.type or (not field.required and _given(hints[name]) == {field.type}))
    )


def _given(hint: Any) -> set[Any]:
    """The types that a field has unless it is left out."""
    kinds = set(get_args(hint))
    return kinds - {UnsetType} if UnsetType in kinds else set()
