"""docs/reference: what commands print with --format json, from its schema."""

from collections.abc import Iterator
from typing import Any

from clusterprint.validate.schemas import OUTPUTS, schema_of
from docs_pages.markup import page, table

Schema = dict[str, Any]


def outputs_page() -> str:
    """A table for each command; parts that several have, or that are deep, are tables of their own."""
    whole = schema_of(OUTPUTS)
    parts = ["# JSON output", f"{whole['description']} `clusterprint schema outputs` prints the schema."]
    for command, each in whole["properties"].items():
        parts += _section(f"clusterprint {command}", whole["definitions"][_name(each)])
    commands = {_name(each) for each in whole["properties"].values()}
    for name in sorted(whole["definitions"].keys() - commands):
        parts += _section(name, whole["definitions"][name])
    return page(parts, "clusterprint/schema")


def _section(title: str, schema: Schema) -> list[str]:
    about = " ".join(schema.get("description", "").split())
    rows = [(f"`{key}`", kind) for key, kind in _rows(schema, "")]
    said = [each for each in (about, "" if rows else f"It is {_kind(schema)}.") if each]
    return [f"## {title}", *said, *([table(("key", "value"), rows)] if rows else [])]


def _rows(schema: Schema, at: str) -> Iterator[tuple[str, str]]:
    for key, each in schema.get("properties", {}).items():
        yield f"{at}{key}", _kind(each) + ("" if key in schema.get("required", ()) else ", optional")
        yield from _rows(each, f"{at}{key}.")
    if isinstance(items := schema.get("items"), dict):
        yield from _rows(items, f"{at.rstrip('.')}[].")
    if isinstance(more := schema.get("additionalProperties"), dict):
        yield from _rows(more, f"{at}NAME.")


def _kind(schema: Schema) -> str:
    if "$ref" in schema:
        return _name(schema)
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    kinds = schema.get("type", "anything")
    said = kinds if isinstance(kinds, str) else " or ".join(kinds)
    items = schema.get("items")
    return f"{said} of {_kind(items)}" if isinstance(items, dict) and items else said


def _name(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]
