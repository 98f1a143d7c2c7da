"""Helpers that rules share."""

import ast
from pathlib import Path

import pytest

import clusterprint.rules

RULES = Path(clusterprint.rules.__file__).parent
MODULES = sorted(RULES.glob("*/*_repeated*.py"))


def test_there_are_such_rules() -> None:
    assert MODULES


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(RULES)))
def test_what_is_listed_twice_is_found_by_the_helpers(module: Path) -> None:
    """`_repeated.again` remembers what came first; a rule that does so itself is another copy of it."""
    calls = [node for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.Call)]
    called = {node.func.attr for node in calls if isinstance(node.func, ast.Attribute)}
    assert "setdefault" not in called
