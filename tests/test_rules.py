"""What every rule has: a code of its own, documentation in three parts, a source, and cases."""

from collections import Counter
from pathlib import Path

import pytest

from clusterprint.rules import Rule, all_rules

CASES = Path(__file__).parent / "cases" / "rules"
PREFIXES = {
    "every_kind": "BP",
    "google": "GCP",
    "vm": "VM",
    "gke": "GKE",
    "ray": "RAY",
    "vmss": "AZ",
    "fleet": "FL",
}
CLEAN = ("ok-", "fleet-ok-")

each_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.topic.code)


def cases(code: str) -> list[Path]:
    """The cases of a rule: blueprints, and fleets of them."""
    return [*(CASES / code).glob("*.yaml"), *(CASES / code).glob("fleet-*/")]


def text(case: Path) -> str:
    """What stands in a case."""
    files = case.glob("*.yaml") if case.is_dir() else [case]
    return "".join(file.read_text("utf-8", "replace") for file in files)


def test_codes_are_unique() -> None:
    counts = Counter(rule.topic.code for rule in all_rules())
    assert [code for code, count in counts.items() if count > 1] == []


@each_rule
def test_file_is_named_after_the_rule(rule: Rule) -> None:
    assert rule.check.__module__.rpartition(".")[2] == rule.topic.name


@each_rule
def test_code_fits_the_folder(rule: Rule) -> None:
    folder = rule.check.__module__.split(".")[-2]
    assert rule.topic.code.rstrip("0123456789") == PREFIXES[folder]
    assert len(rule.topic.code) == len(PREFIXES[folder]) + 3


@each_rule
def test_documentation_says_what_why_and_what_to_do(rule: Rule) -> None:
    parts = rule.topic.docs.split("\n\n")
    assert len(parts) == 3
    assert "\n" not in parts[0], "what it is stands on one line"
    assert all(part.strip() for part in parts)


@each_rule
def test_source_is_named(rule: Rule) -> None:
    assert rule.topic.source.strip()


@each_rule
def test_has_a_case_that_it_finds(rule: Rule) -> None:
    finding = f"{rule.topic.severity.value}[{rule.topic.code}] "
    assert any(finding in text(case) for case in cases(rule.topic.code))


@each_rule
def test_has_a_case_that_it_leaves_alone(rule: Rule) -> None:
    assert any(case.name.startswith(CLEAN) for case in cases(rule.topic.code))


def test_every_folder_of_cases_belongs_to_a_rule() -> None:
    codes = {rule.topic.code for rule in all_rules()}
    assert {folder.name for folder in CASES.iterdir()} - codes == set()
