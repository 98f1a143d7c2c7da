"""The base of every blueprint type."""

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mapping of a blueprint, as a type: frozen, closed, built from keywords.

    A field that may be left out has a default: the value itself where there is a safe one, `UNSET`
    where leaving it out means something of its own. `None` is never a value: optional means absent.
    """
