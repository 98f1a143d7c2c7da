"""The schema of what commands print: of all commands, and as strict as what they print."""

import json
from typing import Any

import msgspec
import pytest
from every_command import every_command
from output_schemas import mistakes, validator
from support import BLUEPRINTS, Run

from clusterprint.review.model import Report


def test_every_command_with_json_has_a_schema() -> None:
    printing = {
        " ".join(words)
        for words, command in every_command()
        for each in command.params
        if each.name == "form" and "json" in getattr(each.type, "choices", ())
    }
    schema = validator().schema
    assert isinstance(schema, dict)
    assert printing == {*schema["properties"]}
    assert schema["$id"] == "urn:clusterprint:v1:outputs"
    assert all(schema["definitions"][name.replace(" ", "-")]["description"] for name in printing)


def test_reviews_are_described_as_they_are_made() -> None:
    """Each key of the model, with its type."""
    _, made = msgspec.json.schema_components([Report], ref_template="#/definitions/{name}")
    published = validator().schema
    assert isinstance(published, dict)

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            kept = {
                key: bare(each)
                for key, each in value.items()
                if key != "default" and not (key == "title" and isinstance(each, str))
            }
            if "prefixItems" in kept:
                kept["items"] = kept.pop("prefixItems")
            return kept | (
                {"additionalProperties": False} if "required" in kept or "properties" in kept else {}
            )
        return [bare(each) for each in value] if isinstance(value, list) else value

    for name, each in made.items():
        assert json.loads(json.dumps(bare(each))) == bare(published["definitions"][name]), name


def test_what_is_not_published_is_found() -> None:
    good = {"diagnostics": [], "summary": {"files": 1, "errors": 0, "warnings": 0, "notes": 0}}
    assert not mistakes("validate", good)
    assert mistakes("validate", good | {"more": 1})
    assert mistakes("validate", {"diagnostics": []})
    assert mistakes("choose", {})


COMMANDS = (
    ("validate", BLUEPRINTS),
    ("lint", BLUEPRINTS),
    ("explain",),
    ("explain", "vm.nodes"),
    ("explain", "GCP001"),
    ("choose", "--gpus", "8", "--gpu", "h200"),
    ("choose", "--gpus", "16", "--gpu", "v6e"),
    ("machines",),
    ("machines", "a3-ultragpu-8g"),
    ("machines", "Standard_ND96isr_H200_v5"),
    ("machines", "ct6e-standard-4t"),
    ("machines", "n2-standard-8"),
    ("list", BLUEPRINTS),
    ("doctor", "--offline", BLUEPRINTS / "vm-smallest.yaml"),
    ("show", BLUEPRINTS / "gke-mpi-hpl.yaml"),
    ("show", BLUEPRINTS / "vmss-nc-dev.yaml"),
    ("what-if", BLUEPRINTS / "gke-smallest.yaml", "--scenario", "spot-storm"),
)


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(map(str, words[:2])))
def test_what_is_printed_is_published(words: tuple[str, ...], clusterprint: Run) -> None:
    """The fixture looks; those that need a cloud are looked at in the tests of their own."""
    assert json.loads(clusterprint(*words, "--format", "json").stdout)


def test_the_schema_is_printed_and_is_a_file(clusterprint: Run) -> None:
    printed = json.loads(clusterprint("schema", "outputs").stdout)
    assert printed == validator().schema
    assert clusterprint("schema", "outputs", "--path").stdout.strip().endswith("schema/outputs.json")
