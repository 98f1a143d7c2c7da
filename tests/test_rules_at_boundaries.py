"""No rule fails, whatever the numbers and lists are: blueprints with values at the ends of their ranges."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import BLUEPRINTS, GOLDENS, ROOT

from clusterprint.document import Document
from clusterprint.load import load
from clusterprint.validate import check_alone, check_fleet
from clusterprint.validate.variants import properties

Keys = tuple[str | int, ...]

# One of each kind, with as much in it as there is; and small ones, where most is left to defaults.
FILES = [
    GOLDENS / "gke-everything.yaml",
    GOLDENS / "ray-everything.yaml",
    *sorted(BLUEPRINTS.glob("vm*.yaml")),
    *sorted(BLUEPRINTS.glob("gke*.yaml")),
    *sorted(BLUEPRINTS.glob("ray*.yaml")),
]
SEED = 20261122
WRONG: Any = {"of": "the wrong type"}


def schema(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "schema" / f"{kind}.schema.json").read_text("utf-8"))
    return found


def mutations(part: dict[str, Any], data: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Places in a blueprint, and a value at the end of a range for each: also for what was left out."""
    for name, field in properties(part).items():
        if keys or name not in ("clusterprint", "kind"):
            yield from _of_field(field, data.get(name) if isinstance(data, dict) else None, (*keys, name))


def _of_field(field: dict[str, Any], data: Any, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    sort = field.get("type")
    yield keys, WRONG if sort != "object" else 1
    if sort in ("integer", "number"):
        low, high = field.get("minimum", 0), field.get("maximum", 2**63 - 1)
        yield from ((keys, value) for value in {low, low + 1, high - 1, high})
    elif sort == "boolean":
        yield from ((keys, value) for value in (True, False))
    elif "enum" in field:
        yield from ((keys, value) for value in field["enum"])
    elif sort == "array":
        yield keys, []
        if data:
            yield from ((keys, data[:1]), (keys, [*data, *data]), (keys, [*data, WRONG]))
            for index, each in enumerate(data):
                yield from _of_field(field.get("items", {}), each, (*keys, index))
    elif sort == "object":
        yield keys, {}
        # What is left out is made, as far as it takes to set one value in it.
        yield from mutations(field, data if isinstance(data, dict) else {}, keys)


def changed(data: Any, keys: Keys, value: Any) -> Any:
    """A copy of the data with one value set; maps on the way there are made."""
    found = copy.deepcopy(data)
    part = found
    for key in keys[:-1]:
        if isinstance(part, dict) and not isinstance(part.get(key), dict | list):
            part[key] = {}
        part = part[key]
    part[keys[-1]] = copy.deepcopy(value)
    return found


def checked(document: Document, data: Any) -> str:
    """The messages about failed rules in the check of a blueprint with this data."""
    (result,) = check_fleet([check_alone(document._replace(data=data))])
    return "\n".join(each.message for each in result.diagnostics if result.crashed and each.code == "BP190")


def sample(file: Path, most: int) -> list[tuple[Document, Any]]:
    """Documents with one value, and with two values, changed."""
    document = load(file, file.name).document
    assert document is not None
    single = list(mutations(schema(document.data["kind"]), document.data))
    source = random.Random(f"{SEED} {file.name}")  # noqa: S311 - the same each time, and no secret
    chosen = source.sample(single, min(most, len(single)))
    datas = [changed(document.data, *each) for each in chosen]
    for each in chosen:
        try:
            datas.append(changed(changed(document.data, *each), *source.choice(single)))
        except (KeyError, IndexError, TypeError):
            continue  # the second place was inside of what the first replaced
    return [(document, data) for data in datas]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_rule_fails_at_the_ends_of_ranges(file: Path) -> None:
    assert {checked(*each) for each in sample(file, 3)} == {""}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_rule_fails_at_any_end_of_a_range(file: Path) -> None:
    assert {checked(*each) for each in sample(file, 120 if file.stem.endswith("everything") else 80)} == {""}


def test_a_rule_that_fails_would_be_seen() -> None:
    """The document keeps its places, so what was set is where the rules look for it."""
    document = load(FILES[0], "x").document
    assert document is not None
    data = changed(document.data, ("system_pool", "autoscaling", "max"), 15_000)
    (result,) = check_fleet([check_alone(document._replace(data=data))])
    assert "GKE088" in {each.code for each in result.diagnostics}
