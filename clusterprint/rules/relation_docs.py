"""The documentation and the words of declared relations: tables of `relations.toml`, in each folder of rules.

A table for each code has the documentation of the rule and, in tables of it, the words of its relations.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.diagnostic import Severity
from clusterprint.explanation import Explanation
from clusterprint.rules.rule import Finding, Rule

MODULE = "relations"
_FOLDERS = {"AZ": "vmss", "BP": "every_kind", "GCP": "google", "GKE": "gke", "RAY": "ray", "VM": "vm"}


class Nothing:
    """The subject of a rule that no part is handed to: its relation is checked where it is declared."""


def folder_of(code: str) -> str:
    """The folder with the documentation of a code, and with the facts that its relations look at."""
    return _FOLDERS[code.rstrip("0123456789")]


def file_of(folder: str) -> Path:
    """The file about the relations of a folder; it need not exist."""
    return Path(__file__).with_name(folder) / f"{MODULE}.toml"


@cache
def documented(folder: str) -> dict[str, Rule]:
    """The rules of a folder that parts declare with relations, by their codes."""
    return {code: _rule(code, table) for code, table in _tables(folder).items()}


def _rule(code: str, table: Mapping[str, Any]) -> Rule:
    severity = Severity(table.get("severity", "error"))
    topic = Explanation(code, table["name"], severity, table["text"].strip(), table["source"])
    return Rule(topic, Nothing, Blueprint, _is_declared, table.get("firm", True))


def _is_declared() -> Iterator[Finding]:
    """Stands for the check of a rule that is declared, which is `check` of its relations."""
    raise NotImplementedError


@cache
def _tables(folder: str) -> dict[str, Any]:
    import tomllib  # only for what is wrong

    file = file_of(folder)
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


@cache
def words(code: str, table: str) -> dict[str, Any]:
    """The words of a relation: formats of a message, of its help, and of a note on the other field."""
    found: dict[str, Any] = _tables(folder_of(code))[code][table]
    return found
