"""Plain data -> typed blueprint, with `BROKEN` wherever the schema step found a mistake.

msgspec's own conversion stops at the first mistake and knows no way around it; this one always ends
with a blueprint, and remembers which place of the document each part was made from.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.part import Part
from clusterprint.document import Place

AnyPart = TypeVar("AnyPart", bound=Part)


class Located(NamedTuple):
    """A part and the place that it was made from."""

    part: Part
    place: Place


def convert(
    kind: type[AnyPart], data: dict[str, Any], broken: Mapping[Place, Any]
) -> tuple[AnyPart, list[Located]]:
    """Build the typed blueprint.

    `broken` are the places that the schema step found wrong: values, and keys that are missing, with
    `BROKEN`; keys that parts of another kind have with `UNSET`, as if they were left out. Returns the
    blueprint, and all its parts in the order of their fields, defaults included.
    """
    located: list[Located] = []
    return _part(kind, data, (), broken, located), located


def _part(
    kind: type[AnyPart],
    data: dict[str, Any],
    place: Place,
    broken: Mapping[Place, Any],
    located: list[Located],
) -> AnyPart:
    fields = {
        name: _value(shape, data.get(shape.key, UNSET), (*place, shape.key), broken, located)
        for name, shape in _shapes(kind).items()
    }
    part = kind(**fields)
    located.append(Located(part, place))
    return part


def _value(
    shape: "_Shape", value: Any, place: Place, broken: Mapping[Place, Any], located: list[Located]
) -> Any:
    value = broken.get(place, value)
    if value is BROKEN:
        return BROKEN
    if value is UNSET:
        if shape.part is None or shape.many or not shape.has_default:
            return shape.default
        # A default part is recreated, so that each part belongs to one place of one blueprint.
        value = msgspec.to_builtins(shape.default)
    if shape.many:
        return tuple(_items(shape, value, place, broken, located))
    if shape.part is not None:
        return _part(shape.part, _whole(shape.part, value), place, broken, located)
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if (*place, key) not in broken}
    return value


def _items(
    shape: "_Shape", items: list[Any], place: Place, broken: Mapping[Place, Any], located: list[Located]
) -> Iterator[Any]:
    """The items of a list. A broken part is left out; a broken text keeps its position."""
    for index, item in enumerate(items):
        at = (*place, index)
        if at in broken:
            if shape.part is None:
                yield BROKEN
        elif shape.part is None:
            yield item
        else:
            yield _part(shape.part, _whole(shape.part, item), at, broken, located)


def _whole(part: type[Part], value: Any) -> dict[str, Any]:
    """A part as a map, which may be written as the one text that matters in it."""
    return {part.shorthand: value} if part.shorthand and isinstance(value, str) else value


class _Shape(NamedTuple):
    """The type of a field's value: a part, several parts, or plain values; and its key in files."""

    key: str
    part: type[Part] | None
    many: bool
    default: Any
    has_default: bool


@cache
def _shapes(kind: type[Part]) -> dict[str, _Shape]:
    shapes = {}
    for field in msgspec.structs.fields(kind):
        bare, many = _bare(field.type)
        part = bare if isinstance(bare, type) and issubclass(bare, Part) else None
        default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
        has_default = default is not msgspec.NODEFAULT and default is not UNSET
        shapes[field.name] = _Shape(
            field.encode_name, part, many, BROKEN if default is msgspec.NODEFAULT else default, has_default
        )
    return shapes


def _bare(hint: Any) -> tuple[Any, bool]:
    """A type without its annotations, and whether the field is a list of it."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _bare(get_args(hint)[0])
    if origin is Union:
        return _bare(next(each for each in get_args(hint) if each is not UnsetType))
    if origin is tuple:
        return _bare(get_args(hint)[0])[0], True
    return hint, False
