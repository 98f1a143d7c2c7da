"""The base of every blueprint type."""

from typing import Annotated, Any, ClassVar

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
    kinds: tuple[Any, ...] = getattr(getattr(hint, "__origin__", None), "__args__", ())
    if len(kinds) != 2 or kinds[1] is not UnsetType:  # noqa: PLR2004 - the type and this
        return hint
    return Annotated[(kinds[0], *hint.__metadata__)] | UnsetType
