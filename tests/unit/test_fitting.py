"""The quick answer about a value is that of jsonschema."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from every import check_every
from spoiled import VALUES

from clusterprint.blueprint import KINDS
from clusterprint.validate import validator
from clusterprint.validate.fitting import Unsure, fits
from clusterprint.validate.schemas import schema_of


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all in it."""
    if isinstance(schema, dict):
        yield schema
        below = [*schema.get("properties", {}).values(), *schema.get("patternProperties", {}).values()]
        for each in (*below, schema.get("items"), schema.get("additionalProperties")):
            yield from parts(each)


def values(schema: dict[str, Any]) -> Iterator[Any]:
    """Values that a schema accepts, and values that it nearly accepts."""
    yield from VALUES
    yield from (True, 3, 3.0, "a", "a\n", [1, "a", "b"], {"a": 1})
    for example in (*schema.get("examples", ()), *schema.get("enum", ())):
        yield from (example, [example], {"unknown": example})
        if isinstance(example, str):
            yield from (f"{example}\n", f" {example}", example.swapcase())
        if isinstance(example, dict):
            yield from ({**example, "unknown": 1}, dict(list(example.items())[1:]), {**example, "name": 1})
    for key in ("minimum", "maximum"):
        yield from (schema.get(key, 0) + each for each in (-1, 0, 1))
    for key in ("minLength", "maxLength", "minItems", "maxItems"):
        for length in (schema.get(key, 1) + each for each in (-1, 0, 1)):
            yield from ("a" * length, ["a"] * length)


def agree(schema: dict[str, Any], value: Any) -> None:
    """The same answer from both, or none from the quick one."""
    try:
        quick = fits(schema, value)
    except Unsure:
        return
    assert quick == (next(validator._validator(schema).iter_errors(value), None) is None), value  # noqa: SLF001


def agree_about_values(schema: dict[str, Any]) -> None:
    """The same answers about what a schema takes, and what it all but takes."""
    for value in values(schema):
        agree(schema, value)


@pytest.mark.parametrize("kind", [*KINDS, "policy"])
def test_it_agrees_about_every_part_of_a_schema(kind: str) -> None:
    different = {json.dumps(each, sort_keys=True): each for each in parts(schema_of(kind))}
    check_every(agree_about_values, different.values(), lambda schema: str(schema.get("description")))


@pytest.mark.parametrize(
    "schema",
    [
        {"const": "a"},
        {"const": 1},
        {"const": True},
        {"allOf": [{"type": "string"}, {"maxLength": 2}]},
        {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["a"]}},
        {"if": {"type": "object"}, "then": {"propertyNames": {"pattern": "^a$"}}},
        {"type": ["string", "null"]},
        {"items": False},
        {"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False},
    ],
)
def test_it_agrees_about_keywords_that_few_schemas_have(schema: dict[str, Any]) -> None:
    more = [{"a": 1}, {"a": 1, "b": 2}, {"a": 2}, {"b": 1}, {"ab": "c"}, {"a\n": 1}, ["a"], "abc", 1, 1.0]
    for value in (*values(schema), *more):
        agree(schema, value)


@pytest.mark.parametrize("keyword", ["oneOf", "$ref", "uniqueItems", "dependencies"])
def test_another_keyword_is_left_to_jsonschema(keyword: str) -> None:
    with pytest.raises(Unsure):
        fits({"properties": {"a": {keyword: []}}}, {"a": 1})
    assert not validator.accepts({"type": "array", "uniqueItems": True}, [1, 1])
    assert validator.accepts({"type": "array", "uniqueItems": True}, [1, 2])
