"""Generated files are fresh, and the published schema keeps its promises to editors."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML
from support import BLUEPRINTS, ROOT

from clusterprint.validate.schemas import ALL, whole_schema
from clusterprint.validate.variants import properties

SCHEMAS = sorted((ROOT / "schema").glob("*.schema.json"))
KINDS = [file for file in SCHEMAS if file.name != "blueprint.schema.json"]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("tool", ["generate_schema.py", "generate_docs.py"])
def test_generated_files_are_fresh(tool: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / tool, "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.name)
def test_schema_is_draft_07(file: Any) -> None:
    schema = json.loads(file.read_text("utf-8"))
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(schema)


def every(schema: dict[str, Any], where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, each in properties(schema).items():
        yield f"{where}.{name}", each
        yield from every(each, f"{where}.{name}")
        yield from every(each.get("items", {}), f"{where}.{name}[]")


@pytest.mark.parametrize("file", KINDS, ids=lambda file: file.name)
def test_every_property_explains_itself(file: Any) -> None:
    schema = json.loads(file.read_text("utf-8"))
    found = list(every(schema))
    assert found
    for where, each in found:
        assert each.get("description", "").endswith("."), where
        assert each.get("markdownDescription"), where
        assert any(key in each for key in ("examples", "enum", "pattern", "default")), where
        assert not {"anyOf", "oneOf"} & set(each), f"{where}: no unions"
        assert "null" not in each.get("type", ""), f"{where}: optional means absent"
        if "pattern" in each:
            assert re.fullmatch(r"Must be [a-z].+\.", each["patternErrorMessage"]), where
        assert "Example" not in each["markdownDescription"], f"{where}: editors show examples themselves"
        if "enum" in each and len(each["enum"]) > 1:
            assert len(each["enumDescriptions"]) == len(each["enum"]), where
        if each.get("type") == "object" and "properties" in each:
            assert each["additionalProperties"] is False, where


@pytest.mark.parametrize("file", KINDS, ids=lambda file: file.name)
def test_examples_and_defaults_are_valid(file: Any) -> None:
    for where, each in every(json.loads(file.read_text("utf-8"))):
        for value in [*each.get("examples", []), *([each["default"]] if "default" in each else [])]:
            assert not list(Draft7Validator(each).iter_errors(value)), f"{where}: {value}"


@pytest.mark.parametrize("file", sorted(BLUEPRINTS.glob("*.yaml")), ids=lambda file: file.stem)
def test_editors_find_nothing_wrong_with_our_blueprints(file: Any) -> None:
    entry = json.loads(whole_schema(ALL))
    data = YAML(typ="safe", pure=True).load(file.read_text("utf-8"))
    assert not list(Draft7Validator(entry).iter_errors(data))
    assert "# yaml-language-server: $schema=../schema/blueprint.schema.json" in file.read_text("utf-8")
    assert file.read_text("utf-8").startswith("# For "), "a blueprint opens with who it is for"


@pytest.mark.parametrize("kind", ["vm", "vmss", "vms", "vmsss", "", 5, None, ["vm"]])
def test_a_kind_asks_for_its_own_keys_and_for_no_others(kind: Any) -> None:
    entry = json.loads(whole_schema(ALL))
    assert '"const"' not in json.dumps(entry["allOf"]), "editors take it for a prefix while completing"
    errors = Draft7Validator(entry).iter_errors({"clusterprint": "v1", "kind": kind})
    asked = {error.message.split("'")[1] for error in errors if error.validator == "required"}
    definition = entry["definitions"].get(kind, {}) if isinstance(kind, str) else {}
    assert asked == {*definition.get("required", ())} - {"clusterprint", "kind"}


def test_editors_get_one_error_for_one_mistake() -> None:
    entry = json.loads(whole_schema(ALL))
    data = YAML(typ="safe", pure=True).load((BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8"))
    data["nodes"]["machine_typ"] = data["nodes"]["machine_type"]
    errors = list(Draft7Validator(entry).iter_errors(data))
    assert [list(error.absolute_path) for error in errors] == [["nodes"]]
    data["kind"] = "vn"
    assert [list(error.absolute_path) for error in Draft7Validator(entry).iter_errors(data)] == [["kind"]]
