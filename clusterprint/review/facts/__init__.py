"""Facts about provider arguments that reviews rest on: what cannot be changed in place."""

import importlib.resources
from functools import cache

import msgspec

#: What a provider fills in where a resource does not say it.
DEFAULTS_OF_PROVIDER = ("project", "region", "zone")


_BLOCK = "[]"


class _File(msgspec.Struct, frozen=True):
    source: str
    types: dict[str, list[str]]


@cache
def _file() -> _File:
    text = importlib.resources.files(__name__).joinpath("force_new.json").read_bytes()
    return msgspec.json.decode(text, type=_File)


def source() -> str:
    """The source of the facts."""
    return _file().source


@cache
def force_new(type_: str) -> frozenset[str]:
    """The arguments of a type that cannot be changed in place, as dotted paths; empty for unknown types."""
    return frozenset(path.removesuffix(_BLOCK) for path in _file().types.get(type_, ()))


def is_block(type_: str, path: str) -> bool:
    """Whether a block forces a replacement when it comes or goes, and its arguments have their own say."""
    return f"{path}{_BLOCK}" in _file().types.get(type_, ())


def is_known(type_: str) -> bool:
    """Whether it is known which arguments of a type force a replacement."""
    return type_ in _file().types
