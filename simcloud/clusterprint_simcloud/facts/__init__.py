"""Facts that real providers report of their arguments, as tables: one per provider and version.

The tables are made by `tools/tabulate_providers.py` of the clusterprint repository and never edited, but for
types that stand in `from_source`: those were read off the provider's source, and wait for a report. A later
version of a provider is kept as what differs from an earlier one. What a table does not say (what the code of
a provider decides, what an API refuses) is in the `arguments.json` of each provider's simulation.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from clusterprint_simcloud.errors import MissingPart

#: The versions that are simulated where a stack requires none that has a table, and whose facts reviews know.
#: After a change: `make generate`.
SERVED = {"google": "7.45.0", "azurerm": "4.55.0", "kubernetes": "2.38.0", "helm": "3.1.1"}


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The provider schema of one argument; groups hold dotted paths from the resource down."""

    # A type of the provider's SDK and flags: `List optional computed force_new`.
    words: str = msgspec.field(name="is")
    default: Any = None
    min_items: int = 0
    max_items: int = 0
    one_of: list[str] = []  # the words that the provider accepts, each as it is written
    matches: str = ""  # the regular expression that the whole of a text has to match, in maps each value
    keys: str = ""  # the regular expression that each key of a map has to match
    least: int | None = None
    most: int | None = None
    conflicts_with: list[str] = []
    exactly_one_of: list[str] = []
    at_least_one_of: list[str] = []
    required_with: list[str] = []

    @property
    def type(self) -> str:
        """`String`, `Int`, `Float`, `Bool`, `Map`, `List` or `Set`."""
        return self.words.partition(" ")[0]

    def says(self, flag: str) -> bool:
        """Whether it is `required`, `optional`, `computed`, `force_new`, `sensitive`."""
        return flag in self.words.split()[1:]


# By type and dotted path.
Table = Mapping[str, Mapping[str, Fact]]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    provider: str
    version: str
    source: str
    read: str
    types: dict[str, dict[str, Fact | str | None]]
    differs_from: str = ""
    # What the schema has and the code does not: of how many elements it sends and returns, by type and path.
    unimplemented: dict[str, dict[str, int]] = {}
    unimplemented_source: str = ""
    # What the code takes in an update and does not send, by type.
    unsent: dict[str, list[str]] = {}
    unsent_source: str = ""
    # Where in the source of the provider, by type.
    from_source: dict[str, str] = {}


@cache
def _file(provider: str, version: str) -> _File:
    path = importlib.resources.files(__name__).joinpath(f"{provider}-{version}.json")
    return msgspec.json.decode(path.read_bytes(), type=_File)


def versions(provider: str) -> list[str]:
    """The versions of a provider that there are tables of."""
    names = [one.name.removesuffix(".json") for one in importlib.resources.files(__name__).iterdir()]
    return sorted(one.removeprefix(f"{provider}-") for one in names if one.startswith(f"{provider}-"))


@cache
def table(provider: str, version: str) -> Table:
    """Every argument of every type that the table of a version has.

    :raises MissingPart: when there is no such table.
    """
    if version not in versions(provider):
        message = f"No facts about provider {provider} {version}: there are {', '.join(versions(provider))}."
        raise MissingPart(message)
    file = _file(provider, version)
    found = dict(table(provider, file.differs_from)) if file.differs_from else {}
    for name, rows in file.types.items():
        merged = {
            **found.get(name, {}),
            **{path: _fact(row) for path, row in rows.items() if row is not None},
        }
        found[name] = {path: one for path, one in merged.items() if rows.get(path, one) is not None}
    return found


def unimplemented(provider: str, version: str) -> Mapping[str, Mapping[str, int]]:
    """Arguments that a version has in its schema only: how many elements it knows of, by type and path.

    It takes others without a word and never sends them. As it does not read them either, each later plan
    would set them again, or replace the resource.
    """
    return _file(provider, version).unimplemented if version in versions(provider) else {}


def unsent(provider: str, version: str) -> Mapping[str, list[str]]:
    """Arguments that a version sends when it creates a resource, and not when it updates one, by type.

    It reports an update that it did not make, and each later plan would make it again.
    """
    return _file(provider, version).unsent if version in versions(provider) else {}


def _fact(row: Fact | str) -> Fact:
    return Fact(row) if isinstance(row, str) else row


def source(provider: str, version: str) -> str:
    """Where the facts about a version are from, for people."""
    file = _file(provider, version)
    return f"{file.provider} {file.version}, read off the provider {file.read}"
