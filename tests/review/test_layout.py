"""Order and duplicates in reports."""

import re
from types import ModuleType
from typing import Any

import msgspec
import pytest
from reports import REPORT

from clusterprint.derived.machines import Machines
from clusterprint.review import model as m
from clusterprint.review.cost import cost
from clusterprint.review.order import natural
from clusterprint.review.render import html, judged, markdown, text

FORMS = (text, markdown, html)
forms = pytest.mark.parametrize("form", FORMS, ids=["text", "markdown", "html"])


def words_of(form: ModuleType, report: m.Report) -> str:
    """The report without markup."""
    made = form.render(report)
    if form is html:
        made = made.partition("<main")[2]
    return re.sub(r"<[^>]*>|\\|&gt;|`", "", made)


def risk(cluster: str, name: str = "quota_needed", **more: Any) -> m.Risk:
    return m.Risk(
        severity="low", sort="quota", name=name, message=f"{cluster} needs quota", cluster=cluster, **more
    )


def with_(**changes: object) -> m.Report:
    return msgspec.structs.replace(REPORT, **changes)


def test_numbers_in_names_count_as_numbers() -> None:
    names = ["c10", "c2", "c1", "b", "c", "c02x", "10", "9", ""]
    assert sorted(names, key=natural) == ["", "9", "10", "b", "c", "c1", "c2", "c02x", "c10"]


@forms
def test_many_risks_that_are_alike_are_told_as_one(form: ModuleType) -> None:
    risks = tuple(risk(f"c{number}", help="ask for it") for number in range(1, 41))
    told = words_of(form, with_(risks=risks, policy=m.Policy()))
    assert "40 x quota_needed: More accelerators than before" in told
    assert told.count("ask for it") == 1
    assert all(f"c{number} needs quota" in told for number in range(1, 41))


def test_a_few_risks_stand_alone() -> None:
    few = [risk("a"), risk("b"), risk("c")]
    assert [len(each) for each in judged.together(few)] == [1, 1, 1]
    assert [len(each) for each in judged.together([*few, risk("d")])] == [4]
    assert [len(each) for each in judged.together([*few, risk("d", "drift")])] == [1, 1, 1, 1]


@forms
def test_a_policy_does_not_repeat_the_risks(form: ModuleType) -> None:
    message = "bucket x is removed, and with it the objects in it"
    removed = risk("c", "bucket_removed")
    removed = msgspec.structs.replace(removed, message=message)
    finding = m.PolicyFinding(
        file="p.yaml", rule="data_loss", message=f"c: {message}", help="", line=2, column=1, risk=0
    )
    limit = m.PolicyFinding(
        file="p.yaml", rule="limits.gpus", message="16 more GPUs", help="ask for less", line=3, column=1
    )
    policy = m.Policy(files=("p.yaml",), version="main", findings=(finding, limit))
    told = words_of(form, with_(risks=(removed,), policy=policy))
    assert told.partition("Changes")[0].count(message) == 1 or told.count(message) == 1
    assert "forbidden by p.yaml:2 data_loss" in told
    assert "forbidden by p.yaml:3 limits.gpus" in told


@forms
def test_every_form_says_who_judged(form: ModuleType) -> None:
    none = form.render(with_(policy=m.Policy(version="main")))
    assert "No policy found" in none
    changed = m.Policy(files=("a.yaml", "b/a.yaml"), version="main", changed=("The change removes c.",))
    told = words_of(form, with_(policy=changed))
    assert "Judged by a.yaml, b/a.yaml as of main" in told
    assert "The change removes c." in told


@forms
def test_what_has_no_list_price_is_said_once_and_not_first(form: ModuleType) -> None:
    machines: dict[str, tuple[list[Machines], list[Machines]]] = {
        "c": ([], [UNPRICED]),
        "d": ([], [UNPRICED]),
    }
    told = words_of(form, with_(cost=cost(machines)))
    assert told.count("a4x-highgpu-4g") == 1
    assert "unknown" not in told.partition("a4x-highgpu-4g")[0].casefold()
    assert told.index("Risks") < told.index("a4x-highgpu-4g")


UNPRICED = Machines("a.b", "b", "a4x-highgpu-4g", "spot", 2, 2)


@forms
def test_warnings_that_were_there_before_are_counted(form: ModuleType) -> None:
    warning = m.Problem(
        severity="warning", code="FL005", message="overlaps", help="a range of its own", file="c.yaml",
        line=1, column=1, side="both",
    )  # fmt: skip
    new = msgspec.structs.replace(warning, side="head", message="a new one")
    told = words_of(form, with_(problems=(warning,) * 12 + (new,)))
    assert "12 warnings as before (12 x FL005): clusterprint validate shows them" in told
    assert "a new one" in told
    if form is not html:  # there, they are folded
        assert "overlaps" not in told
