"""Keys that belong to some parts only, such as volumes of a kind: schema, rules and completion agree."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from clusterprint.blueprint import KINDS
from clusterprint.catalog import disk_pool_type, disk_types_with
from clusterprint.describe import all_fields, example, field, yaml_block
from clusterprint.editor.complete import complete
from clusterprint.editor.open_file import opened
from clusterprint.load import load_text
from clusterprint.validate import validate
from clusterprint.validate.schemas import schema_of
from clusterprint.validate.variants import properties

Schema = dict[str, Any]


def varied(kind: str) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """The path of each part of a kind that has variants, and its schema."""
    for each in all_fields(field(kind)):
        schema = each.schema.get("items", each.schema)
        if "allOf" in schema:
            yield tuple(each.name.split(".")[1:]), schema


def variants(schema: Schema) -> Iterator[Schema]:
    """Every combination of the keys that variants depend on, written or left out."""
    conditions = [case for each in schema["allOf"] for case in each["if"].get("anyOf", [each["if"]])]
    deciding = {key: properties(schema)[key] for case in conditions for key in case["properties"]}
    values = {key: each.get("enum", (True, False)) for key, each in deciding.items() if "then" not in each}
    for chosen in product(*((*each, None) for each in values.values())):
        given = {key: value for key, value in zip(values, chosen, strict=True) if value is not None}
        yield {key: example(properties(schema)[key]) for key in schema.get("required", ())} | given


def of_variants(schema: Schema) -> dict[str, Any]:
    """The keys that only some parts have, each with a value."""
    known = properties(schema)
    return {key: example(known[key]) for key, each in schema["properties"].items() if each is True}


def parents(path: tuple[str, ...], kind: str) -> Iterator[tuple[str | int, ...]]:
    """The keys of a path, each with the position of the only item where it is a list."""
    for depth, key in enumerate(path, 1):
        yield (key, 0) if "items" in field(".".join((kind, *path[:depth]))).schema else (key,)


def within(path: tuple[str, ...], kind: str, part: Schema) -> Schema:
    """A blueprint with a part at a path, and all that its parents need."""
    value = part
    for depth, steps in reversed(list(enumerate(parents(path, kind)))):
        around = field(".".join((kind, *path[:depth]))).keys if depth else []
        needed = {each.key: example(each.schema) for each in around if each.required}
        value = needed | {path[depth]: [value] if len(steps) > 1 else value}
    return {"clusterprint": "v1", "kind": kind, **value}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_key_is_refused_once_where_it_does_not_belong(kind: str) -> None:
    for path, schema in varied(kind):
        place = [step for steps in parents(path, kind) for step in steps]
        for part in variants(schema):
            keys = {key: value for key, value in of_variants(schema).items() if key not in part}
            document = load_text(
                yaml_block(within(path, kind, part | keys)).encode(), "a.yaml", Path()
            ).document
            assert document
            found = validate(document).diagnostics
            for key, value in keys.items():
                errors = list(Draft7Validator(schema).iter_errors(part | {key: value}))
                owners = properties(schema)[key]["ownedBy"]
                said = [
                    each for each in found if each.message.startswith(f"{key} is a key of {owners}, but ")
                ]
                assert len(said) == len(errors), (path, part, key)
                assert (key in properties(schema, part)) is not bool(errors)
                if errors:
                    assert said[0].place == document.key_label((*place, key))
                    assert [each for each in found if each.place.span == said[0].place.span] == said


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_is_offered_where_it_belongs_only(kind: str) -> None:
    for path, schema in varied(kind):
        for part in variants(schema):
            opening = "".join(f"{steps[0]}: {'[' * (len(steps) - 1)}{{" for steps in parents(path, kind))
            keys = "".join(
                f"{key}: {str(value).lower() if isinstance(value, bool) else value}, "
                for key, value in part.items()
            )
            text = f"clusterprint: v1\nkind: {kind}\n{opening}{keys}"
            offered = complete(opened(text, Path("a.yaml")), 2, len(text.splitlines()[2])).choices
            assert {each.label for each in offered} == properties(schema, part).keys() - part.keys()


def test_disk_classes_have_the_keys_that_the_catalog_knows_of_their_types() -> None:
    schema = schema_of("gke")["properties"]["storage"]["properties"]["disk_classes"]["items"]
    sold = {"iops": disk_types_with("iops"), "throughput_mbps": disk_types_with("mibps")}
    types = schema["properties"]["type"]["enum"]
    for each in types:
        keys = {key for key, those in sold.items() if each in those}
        keys |= {"pool"} if disk_pool_type(each) else set()
        own = properties(schema, {"name": "fast", "type": each}).keys()
        assert own & {*sold, "pool"} == keys, each


def test_the_schema_names_the_parts_that_have_a_key() -> None:
    schema = schema_of("vm")["properties"]["storage"]["properties"]["volumes"]["items"]
    found = {
        key: each["else"]["errorMessage"] for each in schema["allOf"] for key in each["then"]["properties"]
    }
    assert found["protocol"] == "This is a key of filestore and netapp volumes."
    assert found["tier"] == "This is a key of filestore volumes or created netapp volumes."
