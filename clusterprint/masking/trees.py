"""Masking everything that a value holds: the texts of records, lists and maps, keys too."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

_Tree = TypeVar("_Tree")


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a tree of records (named tuples, structs), lists, tuples and maps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts_in(key)
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)
    else:
        for field in getattr(value, "__struct_fields__", ()):
            yield from texts_in(getattr(value, field))


def with_texts(value: _Tree, change: Callable[[str], str]) -> _Tree:
    """The same tree with every text changed."""
    return _changed(value, change)  # type: ignore[no-any-return]


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {_changed(key, change): _changed(each, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        items = [_changed(each, change) for each in value]
        # A named tuple is made of its fields, a plain one of a list.
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    fields = getattr(value, "__struct_fields__", None)
    if fields is None:
        return value
    return type(value)(**{field: _changed(getattr(value, field), change) for field in fields})
