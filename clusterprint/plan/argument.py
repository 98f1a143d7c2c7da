"""Fields of plans that say themselves which argument of a Terraform resource gets them, as they are."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from clusterprint.plan.part import PlanPart


class Argument(NamedTuple):
    """In `Annotated`: the dotted path of the argument that gets a field.

    `words` are the provider's for each value; for a value that has none there, nothing is said. Without
    `words` nothing is said for None, 0, and what is empty; False is said.
    """

    path: str
    words: Mapping[object, object] | None = None


def arguments(plan: PlanPart) -> dict[str, Any]:
    """The arguments that the fields of a plan name, and those of the parts in it; a block is a mapping."""
    found: dict[str, Any] = {}
    _collect(plan, found)
    return found


@cache
def named(plan: type[PlanPart]) -> tuple[tuple[str, Argument], ...]:
    """The fields of a plan that name an argument, each with that."""
    hints = get_type_hints(plan, include_extras=True)
    return tuple(
        (name, each)
        for name in plan.__struct_fields__
        for each in getattr(hints[name], "__metadata__", ())
        if isinstance(each, Argument)
    )


def _collect(plan: PlanPart, found: dict[str, Any]) -> None:
    for name, argument in named(type(plan)):
        value = getattr(plan, name)
        said = value if argument.words is None else argument.words.get(value)
        if said is False or said:
            _put(argument.path, list(said) if isinstance(said, tuple) else said, found)
    for name in plan.__struct_fields__:
        within = getattr(plan, name)
        if isinstance(within, PlanPart):
            _collect(within, found)


def _put(path: str, value: object, found: dict[str, Any]) -> None:
    *blocks, last = path.split(".")
    for block in blocks:
        found = found.setdefault(block, {})
    found[last] = value
