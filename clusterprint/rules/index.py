"""The index of rules with their subjects: a run imports only the rules that its blueprint can break.

`index.json` is made by `tools/generate_schema.py`. A module that it does not list, such as one that is
being written, is imported to see; after adding a rule to a listed module, or changing what a rule needs of
its subject, it must be made again, which `make check` verifies.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from types import UnionType
from typing import Any, NamedTuple, get_args

from msgspec import UNSET

from clusterprint.blueprint.broken import BROKEN
from clusterprint.rules import documentation, relation_docs
from clusterprint.rules.rule import Rule

FILE = Path(__file__).with_name("index.json")
_ROOMS = __name__.rpartition(".")[0]


class Entry(NamedTuple):
    """A rule by the names of its types: those of its `subjects`, and the `blueprint` that it can look at.

    It finds nothing about a subject without all that it `needs`: `zones` must not be empty or False,
    `network.cidr?` must be given; of `/workloads.manifests` the same, in the blueprint; of `VolumeMount`, a
    type, the blueprint must have a part.
    """

    code: str
    module: str
    blueprint: str
    firm: bool
    subjects: tuple[str, ...]
    needs: tuple[str, ...] = ()

    def can_find(self, parts: Mapping[str, Iterable[Any]]) -> bool:
        """Whether it can find something about some parts, by the names of their types."""
        about = chain.from_iterable(parts.get(each, ()) for each in self.subjects)
        return any(all(_is_there(field, part, parts) for field in self.needs) for part in about)

    def rule(self) -> Rule:
        """The rule itself, imported now."""
        return _rules_in(self.module)[self.code]


@cache
def entries(folder: str) -> tuple[Entry, ...]:
    """The rules of a folder, such as `google`, in the order of their codes."""
    there = set(modules(folder))
    known = [each for each in _index().get(folder, ()) if _name(each) in there]
    listed = {_name(each) for each in known}
    new = [each for name in there - listed for each in read(folder, name)]
    return tuple(sorted((*known, *new)))


def read(folder: str, name: str) -> Iterator[Entry]:
    """The entries of a module, by importing it."""
    module = f"{folder}.{name}"
    for each in _rules_in(module).values():
        several = get_args(each.subject) if isinstance(each.subject, UnionType) else (each.subject,)
        subjects = tuple(sorted(one.__name__ for one in several if one is not relation_docs.Nothing))
        yield Entry(each.code, module, each.blueprint.__name__, each.firm, subjects)


def about(
    folders: Iterable[str], parts: Mapping[str, Iterable[Any]], lineage: AbstractSet[str]
) -> list[Entry]:
    """The rules of some folders that can find something about parts of a blueprint of a lineage.

    `parts` has them by the names of all their types.
    """
    found = (each for folder in folders for each in entries(folder))
    return sorted(each for each in found if each.blueprint in lineage and each.can_find(parts))


def modules(folder: str) -> Iterator[str]:
    """The names of the modules with rules, and of the file about declared ones."""
    package = find_spec(f"{_ROOMS}.{folder}")
    path = package.submodule_search_locations if package else ()
    yield from (each.name for each in iter_modules(path) if not each.name.startswith("_"))
    if documentation.file_of(folder, relation_docs.MODULE).exists():
        yield relation_docs.MODULE


def _is_there(need: str, part: Any, parts: Mapping[str, Iterable[Any]]) -> bool:
    if need[0].isupper():
        return bool(parts.get(need))
    if need[0] == "/":
        return any(_has(each, need[1:]) for each in parts["Blueprint"])
    return _has(part, need)


def _has(part: Any, field: str) -> bool:
    """Whether a part has a field; also if that cannot be known, because the value has been reported."""
    value = part
    for name in field.removesuffix("?").split("."):
        value = getattr(value, name, BROKEN)
        if value is BROKEN or value is UNSET:
            return value is BROKEN
    return field.endswith("?") or bool(value)


@cache
def _rules_in(module: str) -> dict[str, Rule]:
    """The rules of a module by their codes."""
    folder, name = module.split(".")
    if name == relation_docs.MODULE:
        return relation_docs.documented(folder)
    there = vars(import_module(f"{_ROOMS}.{module}")).values()
    return {each.code: each for each in there if isinstance(each, Rule)}


def _name(entry: Entry) -> str:
    return entry.module.rpartition(".")[2]


@cache
def _index() -> dict[str, list[Entry]]:
    if not FILE.exists():
        return {}
    read_in = json.loads(FILE.read_text("utf-8"))
    return {
        folder: [
            Entry(code, module, blueprint, firm, tuple(subjects), tuple(*needs))
            for code, module, blueprint, firm, subjects, *needs in found
        ]
        for folder, found in read_in.items()
    }
