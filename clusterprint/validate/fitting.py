"""Whether a schema takes a value, by the keywords that published schemas have.

jsonschema, which says what is wrong, takes as long to import as all of ours: a valid blueprint, and most are,
does without. Any other keyword of draft-07 leaves the question to it.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

Schema = dict[str, Any]

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
_OTHERS = frozenset(
    {
        *("$ref", "additionalItems", "contains", "dependencies", "exclusiveMaximum"),
        *("exclusiveMinimum", "maxProperties", "minProperties", "multipleOf", "oneOf", "uniqueItems"),
    }
)


class Unsure(Exception):  # noqa: N818 - control flow, not an error
    """Raised for a schema with other keywords, or for a value that they would have to compare deeply."""


def fits(schema: Any, value: Any) -> bool:
    """Whether a schema takes a value; raises Unsure."""
    if isinstance(schema, bool):
        return schema
    if not _OTHERS.isdisjoint(schema):
        raise Unsure
    return all(
        _KEYWORDS[keyword](limit, value, schema) for keyword, limit in schema.items() if keyword in _KEYWORDS
    )


def is_a(name: str, value: Any) -> bool:
    """Whether a value is of a type of JSON. `3.0` is not how one writes a count, and True is no number."""
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


@cache
def whole(pattern: str) -> re.Pattern[str]:
    """A pattern as editors read it: in Python `$` also matches before a last line break."""
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)


def _type(names: str | list[str], value: Any, _: Schema) -> bool:
    return any(is_a(name, value) for name in ([names] if isinstance(names, str) else names))


def _enum(allowed: list[Any], value: Any, _: Schema) -> bool:
    if isinstance(value, (dict, list)):
        raise Unsure
    return any(each == value and isinstance(each, bool) == isinstance(value, bool) for each in allowed)


def _properties(parts: Mapping[str, Schema], value: Any, _: Schema) -> bool:
    return not isinstance(value, dict) or all(
        fits(parts[key], item) for key, item in value.items() if key in parts
    )


def _pattern_properties(parts: Mapping[str, Schema], value: Any, _: Schema) -> bool:
    return not isinstance(value, dict) or all(
        fits(part, item)
        for pattern, part in parts.items()
        for key, item in value.items()
        if re.search(pattern, key)
    )


def _additional(part: Any, value: Any, schema: Schema) -> bool:
    if not isinstance(value, dict):
        return True
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return all(
        fits(part, item)
        for key, item in value.items()
        if key not in known and not any(re.search(each, key) for each in patterns)
    )


def _if(condition: Schema, value: Any, schema: Schema) -> bool:
    return fits(schema.get("then" if fits(condition, value) else "else", True), value)


def _among(kind: str, check: Callable[[Any, Any], bool]) -> Callable[[Any, Any, Schema], bool]:
    """A keyword that is about values of one type."""
    return lambda limit, value, _: not is_a(kind, value) or check(limit, value)


_KEYWORDS: Mapping[str, Callable[[Any, Any, Schema], bool]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda only, value, schema: _enum([only], value, schema),
    "pattern": _among("string", lambda pattern, text: whole(pattern).search(text) is not None),
    "minLength": _among("string", lambda least, text: len(text) >= least),
    "maxLength": _among("string", lambda most, text: len(text) <= most),
    "minimum": _among("number", lambda least, number: number >= least),
    "maximum": _among("number", lambda most, number: number <= most),
    "items": _among("array", lambda part, items: all(fits(part, each) for each in items)),
    "minItems": _among("array", lambda least, items: len(items) >= least),
    "maxItems": _among("array", lambda most, items: len(items) <= most),
    "required": _among("object", lambda keys, map_: all(key in map_ for key in keys)),
    "propertyNames": _among("object", lambda part, map_: all(fits(part, key) for key in map_)),
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "allOf": lambda parts, value, _: all(fits(part, value) for part in parts),
    "anyOf": lambda parts, value, _: any(fits(part, value) for part in parts),
    "not": lambda part, value, _: not fits(part, value),
    "if": _if,
}
