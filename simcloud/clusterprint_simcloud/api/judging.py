"""Faults of a request, by the description of its method."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any, NamedTuple

from clusterprint_simcloud.api.descriptions import Found, Json, Method

# What the providers' clients add to each request, whatever the method.
_CLIENTS = frozenset(("alt", "prettyPrint", "key", "fields", "userProject", "$alt", "uploadType", "name"))
_NUMBERS = ("int64", "uint64")


class Fault(NamedTuple):
    """One thing that is wrong."""

    at: str  # the dotted path of a field, `?name` of a parameter, `{name}` of a part of the path
    message: str


def judge(found: Found, query: Mapping[str, str], body: Any) -> list[Fault]:
    """All that is wrong with a request, but for what `accepted.json` lists."""
    method = found.method
    faults = [*_path(found), *_query(method, query)]
    if method.request:
        faults += _value(method, {"$ref": method.request}, body or {}, "")
    elif body:
        faults.append(Fault("", "the method takes no body"))
    return [fault for fault in faults if not _accepted(method.id, fault)]


def _path(found: Found) -> Iterator[Fault]:
    for name, value in found.path.items():
        pattern = found.method.parameters.get(name, {}).get("pattern")
        if pattern and not _matches(pattern, value):
            yield Fault(f"{{{name}}}", f"{value!r} does not match {pattern}")


def _query(method: Method, query: Mapping[str, str]) -> Iterator[Fault]:
    for name, value in query.items():
        schema = method.parameters.get(name)
        if schema is None and name not in _CLIENTS:
            yield Fault(
                f"?{name}",
                f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter.',
            )
        elif schema and "enum" in schema and value not in schema["enum"]:
            yield Fault(f"?{name}", f"{value!r} is none of {', '.join(schema['enum'])}")
        elif schema and schema["type"] == "boolean" and value not in ("true", "false"):
            yield Fault(f"?{name}", f"{value!r} is no boolean")
        elif schema and schema["type"] == "integer" and not re.fullmatch(r"-?\d+", value):
            yield Fault(f"?{name}", f"{value!r} is no integer")


def _value(method: Method, schema: Json, value: Any, at: str) -> Iterator[Fault]:  # noqa: C901  (one per type)
    if value is None:  # an empty field, as JSON has it
        return
    if "$ref" in schema:
        schema = method.document["schemas"][schema["$ref"]]
    match schema.get("type"):
        case "object":
            yield from _object(method, schema, value, at)
        case "array" if not isinstance(value, list):
            yield Fault(at, f"{_short(value)} is no list")
        case "array":
            for each in value:
                yield from _value(method, schema["items"], each, f"{at}[]")
        case "string":
            yield from _string(schema, value, at)
        case "integer" if isinstance(value, bool) or not isinstance(value, int):
            yield Fault(at, f"{_short(value)} is no integer")
        case "number" if isinstance(value, bool) or not isinstance(value, int | float):
            yield Fault(at, f"{_short(value)} is no number")
        case "boolean" if not isinstance(value, bool):
            yield Fault(at, f"{_short(value)} is no boolean")


def _object(method: Method, schema: Json, value: Any, at: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(at, f"{_short(value)} is no object")
        return
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    for name, each in value.items():
        inner = f"{at}.{name}" if at else name
        if name in properties:
            if properties[name].get("readOnly") and each not in (None, "", [], {}, False):
                yield Fault(inner, f"{_short(each)} is sent, but only the API sets this field")
            yield from _value(method, properties[name], each, inner)
        elif others:
            yield from _value(method, others, each, f"{at}[]")
        elif properties:
            where = f" at '{at}'" if at else ""
            yield Fault(
                inner, f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
            )


def _string(schema: Json, value: Any, at: str) -> Iterator[Fault]:
    if isinstance(value, int) and not isinstance(value, bool) and schema.get("format") in _NUMBERS:
        return  # a number of 64 bits may be sent as either
    if not isinstance(value, str):
        yield Fault(at, f"{_short(value)} is no string")
    elif schema.get("format") in _NUMBERS and not re.fullmatch(r"-?\d+", value):
        yield Fault(at, f"{_short(value)} is no number of 64 bits")
    elif "enum" in schema and value not in schema["enum"]:
        yield Fault(at, f"{_short(value)} is none of {', '.join(schema['enum'])}")
    elif schema.get("pattern") and not _matches(schema["pattern"], value):
        yield Fault(at, f"{_short(value)} does not match {schema['pattern']}")


def _matches(pattern: str, value: str) -> bool:
    return re.fullmatch(pattern, value) is not None


def _short(value: Any) -> str:
    return json.dumps(value)[:80]


def _accepted(method: str, fault: Fault) -> bool:
    return any(re.fullmatch(one["method"], method) and one["at"] == fault.at for one in accepted())


@functools.cache
def accepted() -> tuple[Json, ...]:
    """A field that the provider sends and no description has: `method` (a pattern), `at` and `reason`."""
    text = (resources.files(__package__) / "accepted.json").read_text("utf-8")
    return tuple(json.loads(text)["accepted"])
