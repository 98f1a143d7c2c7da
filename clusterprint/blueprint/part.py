"""The base of every blueprint type."""

from typing import ClassVar

import msgspec

from clusterprint.blueprint.relations import Relation


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mapping of a blueprint, as a type: frozen, closed, built from keywords.

    A field that may be left out has a default: the value itself where there is a safe one, `UNSET`
    where leaving it out means something of its own. `None` is never a value: optional means absent.

    Where its schema takes a text, that is a part with nothing but the text in its `shorthand`. What holds
    between its fields and the rest of the blueprint is in `relations`.
    """

    shorthand: ClassVar[str] = ""
    relations: ClassVar[tuple[Relation, ...]] = ()
