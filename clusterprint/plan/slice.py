"""The base of all plan types."""

import msgspec


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a plan: what one construct needs to know."""
