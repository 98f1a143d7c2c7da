"""All values of a blueprint, with their origins."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.part import Part
from clusterprint.describe import yaml_block, yaml_inline
from clusterprint.document import Document, Place

_LONGEST = 88


class Value(NamedTuple):
    """A value that is no part, and where it comes from: `FILE:LINE`, or `default`."""

    place: Place
    value: Any
    origin: str


def values_of(part: Part, document: Document, place: Place = ()) -> Iterator[Value]:
    """Every value of a blueprint without mistakes, in the order of the language."""
    for name in part.__struct_fields__:
        value, at = getattr(part, name), (*place, name)
        if value is not UNSET:
            yield from _values(value, document, at)


def _values(value: Any, document: Document, at: Place) -> Iterator[Value]:
    if isinstance(value, Part) and value.__struct_fields__ == (value.shorthand,):
        yield from _values(getattr(value, value.shorthand), document, at)  # it is written as that alone
    elif isinstance(value, Part):
        inner = list(values_of(value, document, at))
        yield from inner or [Value(at, {}, origin(document, at))]
    elif isinstance(value, tuple) and any(isinstance(each, Part) for each in value):
        for index, each in enumerate(value):
            yield from _values(each, document, (*at, index))
    else:
        plain = list(value) if isinstance(value, tuple) else value
        yield Value(at, plain, origin(document, at))


def origin(document: Document, place: Place) -> str:
    """Where the value of a place comes from."""
    if not document.has(place):
        return "default"
    label = document.label(place)
    return f"{label.file}:{label.span.line}" if label.span else label.file


def as_yaml(values: list[Value]) -> list[tuple[str, str]]:
    """The values as lines of YAML, each with its origin; empty for lines that only lead to others."""
    lines: list[tuple[str, str]] = []
    before: Place = ()
    for each in values:
        shared = 0
        while shared < min(len(before), len(each.place)) and before[shared] == each.place[shared]:
            shared += 1
        lines += _lines(each, shared)
        before = each.place
    return lines


def _lines(value: Value, shared: int) -> Iterator[tuple[str, str]]:
    """The lines of one value: the keys to it that it does not share with the one before, then itself."""
    dash = ""
    for depth in range(shared, len(value.place)):
        step = value.place[depth]
        if isinstance(step, int):
            dash = "- "
            continue
        indent = "  " * (depth - len(dash) // 2) + dash
        dash = ""
        if depth < len(value.place) - 1:
            yield f"{indent}{step}:", ""
            continue
        yield from _leaf(indent, step, value)


def _leaf(indent: str, key: str, value: Value) -> Iterator[tuple[str, str]]:
    inline = yaml_inline({key: value.value})[1:-1]
    is_long = len(indent) + len(inline) > _LONGEST or (isinstance(value.value, str) and "\n" in value.value)
    lines = yaml_block({key: value.value}).split("\n") if is_long else [inline]
    for number, line in enumerate(lines):
        yield f"{indent if not number else ' ' * len(indent)}{line}", value.origin if not number else ""
