"""Values as they travel between Terraform and a provider, and paths into them.

A value is what JSON can hold, plus `UNKNOWN` for what is known only after apply. Blocks are lists of dicts;
sets are lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Value = Any
Path = tuple[str | int, ...]


class Unknown:
    """The one value that is known only after apply; compare with `is UNKNOWN`."""

    def __repr__(self) -> str:
        return "(known after apply)"

    def __copy__(self) -> Unknown:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Unknown:
        return self


UNKNOWN = Unknown()


def has_unknown(value: Value) -> bool:
    """Whether anything in the value is known only after apply."""
    if isinstance(value, dict):
        return any(has_unknown(one) for one in value.values())
    if isinstance(value, list):
        return any(has_unknown(one) for one in value)
    return value is UNKNOWN


def without_unknown(value: Value) -> Value:
    """A copy in which null stands for what is known only after apply: the request that goes to the cloud."""
    if isinstance(value, dict):
        return {name: without_unknown(one) for name, one in value.items()}
    if isinstance(value, list):
        return [without_unknown(one) for one in value]
    return None if value is UNKNOWN else value


def is_set(value: Value) -> bool:
    """Whether a configuration gives a value: not null, and for collections at least one element."""
    return value is not None and not (isinstance(value, list | dict) and not value)


def differ(one: Value, other: Value) -> bool:
    """Whether a plan would show a change: as in the providers' SDK, null and a type's zero are the same."""
    if one is UNKNOWN or other is UNKNOWN:
        return one is not other
    if _is_zero(one) and _is_zero(other):
        return False
    return bool(_comparable(one) != _comparable(other))


def _is_zero(value: Value) -> bool:
    return value is None or value is False or bool(value in ("", 0) or value in ([], {}))


def _comparable(value: Value) -> Value:
    if isinstance(value, dict):
        return {key: _comparable(one) for key, one in value.items() if not _is_zero(one)}
    if isinstance(value, list):
        return [_comparable(one) for one in value]
    return repr(value) if value is UNKNOWN else value


def at(value: Value, path: str) -> Iterator[tuple[Path, Value]]:
    """Every (concrete path, value) that the dotted path names; one name stands for all elements of a list.

    >>> list(at({"a": [{"b": 1}, {"b": 2}]}, "a.b"))
    [(('a', 0, 'b'), 1), (('a', 1, 'b'), 2)]
    """
    head, _, rest = path.partition(".")
    if not isinstance(value, dict) or head not in value:
        return
    inner = value[head]
    if not rest:
        yield (head,), inner
        return
    for step, element in _elements(inner):
        for tail, found in at(element, rest):
            yield (head, *step, *tail), found


def _elements(value: Value) -> Iterator[tuple[Path, Value]]:
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield (index,), element
    elif isinstance(value, dict):
        yield (), value


def look_up(value: Value, path: Path) -> Value:
    """The value at a concrete path, or None."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def replace(value: Value, path: str, change: Callable[[Value], Value]) -> None:
    """Change, in place, every value that the dotted path names."""
    parent, _, last = path.rpartition(".")
    holders = (
        [value]
        if not parent
        else [element for _, found in at(value, parent) for _, element in _elements(found)]
    )
    for holder in holders:
        if isinstance(holder, dict) and last in holder:
            holder[last] = change(holder[last])


def texts(value: Value) -> Iterator[str]:
    """Every string inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)
