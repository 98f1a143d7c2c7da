"""The simulated providers plan what the real ones do, value by value.

Held against each other are resources and arguments that are in both plans; the stacks are those that the
real plans were made of. See `real_plans.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from real_plans import DATA, NOTHING, UNKNOWN, Difference, cases, differences, packed, simulated, write

from clusterprint_simcloud import World

#: The share of values that may be planned in another way, all listed kinds together.
ALLOWED = 0.01
LISTED = json.loads((DATA / "plan-differences.json").read_text("utf-8"))["differences"]
REASONS = {(one["type"], one["argument"]): one["reason"] for one in LISTED}


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], tuple[list[Difference], int]]:
    """Every stack, planned: where it differs, and how many values were compared."""
    found = {}
    for version, name in cases():
        folder = tmp_path_factory.mktemp(f"{name}-{version}")
        found[version, name] = differences(packed()["plans"][version][name], _planned(version, name, folder))
    return found


def _planned(version: str, name: str, folder: Path) -> dict[str, Any]:
    with World(folder=folder / "world") as world:
        write(name, version, folder / name)
        return simulated(world.plan(folder / name))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.terraform
@pytest.mark.xdist_group("real plans")
def test_nothing_differs_that_is_not_listed(compared: Mapping[Any, tuple[list[Difference], int]]) -> None:
    new = [
        f"{version} {name}: {one.address} {one.path}: really {one.real!r}, here {one.simulated!r}"
        for (version, name), (found, _) in compared.items()
        for one in found
        if one.kind not in REASONS
    ]
    assert new == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.terraform
@pytest.mark.xdist_group("real plans")
def test_what_is_listed_still_differs(compared: Mapping[Any, tuple[list[Difference], int]]) -> None:
    for one in LISTED:
        found, _ = compared[tuple(one["shown_by"])]
        assert (one["type"], one["argument"]) in {each.kind for each in found}, one


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.terraform
@pytest.mark.xdist_group("real plans")
def test_few_values_differ(compared: Mapping[Any, tuple[list[Difference], int]]) -> None:
    values = Counter({version: 0 for version, _ in compared})
    different = Counter(values)
    for (version, _), (found, number) in compared.items():
        values[version] += number
        different[version] += len(found)
    for version, number in values.items():
        assert number > 10_000, "hardly anything was compared"
        assert different[version] < ALLOWED * number, version


def test_every_difference_has_a_reason_of_its_own() -> None:
    assert len(REASONS) == len(LISTED)
    assert all(REASONS.values())


def _change(after: Any, unknown: Any) -> dict[str, Any]:
    return {"google_x.a": {"after": after, "after_unknown": unknown}}


def _found(real: tuple[Any, Any], made: tuple[Any, Any]) -> Iterator[tuple[Any, ...]]:
    for one in differences(_change(*real), _change(*made))[0]:
        yield one.path, one.real, one.simulated


def test_the_comparison_sees_differences() -> None:
    same = ({"a": 1, "b": [{"c": None}]}, {"b": [{"d": True}]})
    assert list(_found(same, same)) == []
    assert differences(_change(*same), _change(*same))[1] == 3
    assert list(_found(same, ({"a": 2, "b": [{"c": None}]}, {"b": [{"d": True}]}))) == [(("a",), 1, 2)]
    known: tuple[dict[str, Any], dict[str, Any]] = ({"a": 1, "b": [{"c": None, "d": "x"}]}, {})
    assert list(_found(same, known)) == [(("b", 0, "d"), UNKNOWN, "x")]
    # A block that is unknown as a whole is one difference; null and empty are two things.
    assert list(_found(({"a": 1}, {"b": True}), known)) == [(("b",), UNKNOWN, NOTHING)]
    assert list(_found(({"a": []}, {}), ({"a": None}, {}))) == [(("a",), [], None)]


def test_only_resources_in_both_are_compared() -> None:
    assert differences(_change({"a": 1}, {}), {}) == ([], 0)
