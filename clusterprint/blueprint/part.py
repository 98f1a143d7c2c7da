"""The base of every blueprint type."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, get_args

import msgspec
from msgspec import UnsetType

from clusterprint.blueprint.relations import Relation


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mapping of a blueprint, as a type: frozen, closed, built from keywords.

    A field that may be left out has a default: the value itself where there is a safe one, `UNSET`
    where leaving it out means something of its own. `None` is never a value: optional means absent. Such a
    field is `Annotated[int | UnsetType, Meta(ge=1)] = UNSET`.

    Where its schema takes a text, that is a part with nothing but the text in its `shorthand`. What holds
    between its fields and the rest of the blueprint is in `relations`.
    """

    shorthand: ClassVar[str] = ""
    relations: ClassVar[tuple[Relation, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__annotations__ = {name: _unset_outside(hint) for name, hint in cls.__annotations__.items()}


def _unset_outside(hint: Any) -> Any:
    """The type of a field, `UnsetType` outside of `Annotated`, since msgspec refuses limits of a union."""
    kinds = get_args(getattr(hint, "__origin__", None)) if hasattr(hint, "__metadata__") else ()
    if UnsetType not in kinds:
        return hint
    kind = reduce(or_, (each for each in kinds if each is not UnsetType))
    return Annotated[(kind, *hint.__metadata__)] | UnsetType
