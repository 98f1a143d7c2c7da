"""Fields that a plan has just as a blueprint says them: nothing is decided about them."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.plan.part import PlanPart


def carried(plan: type[PlanPart], part: Part, *decided: str) -> dict[str, Any]:
    """The arguments of a plan that have the name and the type of a field of a part, without those `decided`.

    What may be left out of the blueprint is carried only into fields with a default, and only if it is given.
    Texts of few values are of another type in a plan that holds Google's words for them: they are decided.
    What is both carried and passed to the plan raises TypeError there.
    """
    values = {name: getattr(part, name) for name in _alike(plan, type(part)) if name not in decided}
    return {name: value for name, value in values.items() if value is not UNSET}


@cache
def _alike(plan: type[PlanPart], part: type[Part]) -> tuple[str, ...]:
    said, wanted = get_type_hints(part), get_type_hints(plan)
    return tuple(
        field.name
        for field in msgspec.structs.fields(plan)
        if field.name in said and _fits(said[field.name], wanted[field.name], required=field.required)
    )


def _fits(said: Any, wanted: Any, *, required: bool) -> bool:
    """Whether a field of a part is one of a plan as it is; one that may be left out needs a default there."""
    if said == wanted:
        return True
    given = set(get_args(said))
    return not required and UnsetType in given and given - {UnsetType} == _kinds(wanted) - {NoneType}


def _kinds(hint: Any) -> set[Any]:
    return set(get_args(hint)) if get_origin(hint) in (Union, UnionType) else {hint}
