"""Rules that parts declare with relations, and the words of these: tables of `relations.toml`.

A table for each code has the documentation of the rule and, in tables of it, the words of its relations.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.documentation import folder_of, tables
from clusterprint.rules.rule import Finding, Rule

MODULE = "relations"


class Nothing:
    """The subject of a rule that no part is handed to: its relation is checked where it is declared."""


@cache
def documented(folder: str) -> dict[str, Rule]:
    """The rules of a folder that parts declare with relations, by their codes."""
    return {code: _rule(code, table) for code, table in tables(folder, MODULE).items()}


def _rule(code: str, table: Mapping[str, Any]) -> Rule:
    severity = Severity(table.get("severity", "error"))
    return Rule(code, table["name"], severity, Nothing, Blueprint, _is_declared, table.get("firm", True))


def _is_declared() -> Iterator[Finding]:
    """Stands for the check of a rule that is declared, which is `check` of its relations."""
    raise NotImplementedError


@cache
def words(code: str, table: str) -> dict[str, Any]:
    """The words of a relation: formats of a message, of its help, and of a note on the other field."""
    found: dict[str, Any] = tables(folder_of(code), MODULE)[code][table]
    return found
