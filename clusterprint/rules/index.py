"""The index of rules with their subjects: a run imports only the rules that its blueprint can break.

`index.json` is made by `tools/generate_schema.py`. A module that it does not list, such as a rule that is
being written, is imported to see.
"""

import json
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import UnionType
from typing import NamedTuple, get_args

from clusterprint.rules import declared
from clusterprint.rules.rule import Rule

FILE = Path(__file__).with_name("index.json")
_ROOMS = __name__.rpartition(".")[0]


class Entry(NamedTuple):
    """A rule by the names of its types: those of its `subjects`, and the `blueprint` that it can look at."""

    code: str
    module: str
    blueprint: str
    firm: bool
    subjects: tuple[str, ...]

    def rule(self) -> Rule:
        """The rule itself, imported now."""
        return _rules_in(self.module)[self.code]


@cache
def entries(folder: str) -> tuple[Entry, ...]:
    """The rules of a folder, such as `google`, in the order of their codes."""
    package = find_spec(f"{_ROOMS}.{folder}")
    modules = set(_modules(folder, package.submodule_search_locations)) if package else set()
    known = [each for each in _index().get(folder, ()) if _name(each) in modules]
    listed = {_name(each) for each in known}
    new = [each for name in modules - listed for each in read(folder, name)]
    return tuple(sorted((*known, *new)))


def read(folder: str, name: str) -> Iterator[Entry]:
    """The entries of a module, by importing it."""
    module = f"{folder}.{name}"
    for each in _rules_in(module).values():
        several = get_args(each.subject) if isinstance(each.subject, UnionType) else (each.subject,)
        subjects = tuple(sorted(one.__name__ for one in several if one is not declared.Nothing))
        yield Entry(each.topic.code, module, each.blueprint.__name__, each.firm, subjects)


def generate(folders: Iterable[str]) -> str:
    """The content of `index.json`: the entries of each folder, a line for each."""
    parts = []
    for folder in folders:
        lines = ",\n".join(json.dumps(each) for each in sorted(_all_in(folder)))
        parts.append(f"{json.dumps(folder)}: [\n{lines}\n]")
    return "{" + ",\n".join(parts) + "}\n"


def about(folders: Iterable[str], types: AbstractSet[str], lineage: AbstractSet[str]) -> list[Entry]:
    """The rules of some folders about any of the types, for blueprints of a lineage: names of classes."""
    found = (each for folder in folders for each in entries(folder))
    return sorted(each for each in found if each.blueprint in lineage and not types.isdisjoint(each.subjects))


def _all_in(folder: str) -> Iterator[Entry]:
    for name in _modules(folder, import_module(f"{_ROOMS}.{folder}").__path__):
        yield from read(folder, name)


def _modules(folder: str, path: Iterable[str] | None) -> Iterator[str]:
    """The names of the modules with rules, and of the file about declared ones."""
    yield from (each.name for each in iter_modules(path) if not each.name.startswith("_"))
    if declared.file_of(folder).exists():
        yield declared.MODULE


@cache
def _rules_in(module: str) -> dict[str, Rule]:
    """The rules of a module by their codes."""
    folder, name = module.split(".")
    if name == declared.MODULE:
        return declared.documented(folder)
    there = vars(import_module(f"{_ROOMS}.{module}")).values()
    return {each.topic.code: each for each in there if isinstance(each, Rule)}


def _name(entry: Entry) -> str:
    return entry.module.rpartition(".")[2]


@cache
def _index() -> dict[str, list[Entry]]:
    if not FILE.exists():
        return {}
    read_in = json.loads(FILE.read_text("utf-8"))
    return {
        folder: [
            Entry(code, module, blueprint, firm, tuple(subjects))
            for code, module, blueprint, firm, subjects in found
        ]
        for folder, found in read_in.items()
    }
