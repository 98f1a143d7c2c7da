"""Texts as Terraform and the engine are to take them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import ROOT

from clusterprint.errors import InternalError
from clusterprint.plan.kubernetes import ChartPlan
from clusterprint.plan.part import StackPlan
from clusterprint.terraform_text import literal, plain
from stacks.literal_plan import as_json, in_literals

TEXTS = [
    "${HOME}",
    "$${HOME}",
    "%{ if true }",
    "$%{",
    "${TfToken[TOKEN.0]}",
    "#{TfToken[TOKEN.0]}",
    "&{TfToken[TOKEN.0]}",
    '${"TfToken["}',
    "String Map Token Value",
    "-8.109562212591379e+298",
    "a-8.109562212591379e+298-1 8e298",
]
# As the engine looks for its own values; it would look each of these up.
MARKS = re.compile(r"[#$&]\{TfToken\[|-8\.109562212591379e")


@pytest.mark.parametrize("text", TEXTS)
def test_a_literal_is_read_as_the_text_and_holds_no_mark_of_the_engine(text: str) -> None:
    assert plain(literal(text)) == text
    assert not MARKS.search(literal(text))


@pytest.mark.parametrize("text", ["", "plain", "$HOME", "100%", "1e3", "-1.5e+10", "2e289", "a{b}"])
def test_what_nobody_misreads_stays(text: str) -> None:
    assert literal(text) == text


def test_json_of_literals_is_a_literal_of_the_json() -> None:
    data = {text: [text, {"deeper": json.dumps(text)}] for text in TEXTS}
    written = {literal(key): [literal(key), {"deeper": literal(json.dumps(key))}] for key in TEXTS}
    assert plain(as_json(written)) == json.dumps(data)
    assert plain(as_json({"number": -8.109562212591379e298})) == '{"number": -8.109562212591379e+298}'
    assert not MARKS.search(as_json({"number": -8.109562212591379e298}))


def test_every_text_of_a_plan_becomes_a_literal_keys_and_deep_ones_too() -> None:
    class Everything(StackPlan, frozen=True, kw_only=True):
        parts: tuple[ChartPlan, ...]
        table: dict[str, list[str | int | float | bool | None]]

    part = ChartPlan(
        key="k",
        name="${a}",
        namespace="%{b}",
        repository="",
        chart="c",
        version="1",
        values={"${k}": ["${v}"]},
        wait_seconds=60,
    )
    plan = in_literals(Everything(name="x", parts=(part,), table={"%{k}": ["${v}", 1, 1.5, True, None]}))
    assert plan.parts[0].name == "$${a}"
    assert plan.parts[0].namespace == "%%{b}"
    assert plan.parts[0].values == {"$${k}": ["$${v}"]}
    assert plan.table == {"%%{k}": ["$${v}", 1, 1.5, True, None]}


def test_what_could_hide_a_text_is_not_let_through() -> None:
    @dataclass
    class Odd:
        text: str = "${file}"

    class Everything(StackPlan, frozen=True, kw_only=True):
        odd: Odd

    with pytest.raises(InternalError, match="holds a Odd"):
        in_literals(Everything(name="x", odd=Odd()))


def test_stacks_make_json_only_of_literals_and_escape_nothing_by_hand() -> None:
    for file in sorted((ROOT / "stacks").rglob("*.py")):
        if file != Path(ROOT, "stacks", "literal_plan.py"):
            assert not re.search(r"import json|clusterprint\.literal", file.read_text("utf-8")), file


def test_a_million_digits_are_no_work_for_us_or_the_engine() -> None:
    text = "1" * 1_000_000
    assert plain(literal(text)) == text
    assert max(map(len, literal(text).split("$"))) < 1100  # it looks through each run once for each digit
