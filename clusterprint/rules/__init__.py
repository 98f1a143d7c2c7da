"""Semantic rules: one file each, found by scanning the folders below this one.

`every_kind/` is about all blueprints, `google/` about everything on Google Cloud, `vm/` (and so on)
about one kind, `fleet/` about several blueprints together. Neither rules nor kinds are registered here: which
folders a kind meets follows from the types that its blueprint has.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import UnionType
from typing import Any, NamedTuple

from clusterprint.blueprint import KINDS, blueprint_type, lineage
from clusterprint.blueprint.broken import met_broken
from clusterprint.rules import declared
from clusterprint.rules.context import Context, Fleet, Member
from clusterprint.rules.rule import Finding, Rule, rule

__all__ = [
    "Context",
    "Finding",
    "Fleet",
    "Member",
    "Rule",
    "all_rules",
    "by_folder",
    "fleet_rules",
    "folders",
    "rule",
    "rules_for",
    "run",
    "soft_codes",
]

# The folder about all blueprints of a type; a folder about one kind is called like the kind.
_SHARED = {"Blueprint": "every_kind", "GoogleBlueprint": "google", "KubernetesBlueprint": "gke"}


@cache
def folders(kind: str) -> tuple[str, ...]:
    """The folders whose rules a blueprint of a kind can break, from the most general to its own."""
    shared = [_SHARED[each] for each in lineage(kind) if each in _SHARED]
    own = [kind] if find_spec(f"{__name__}.{kind}") else []
    return tuple(dict.fromkeys((*shared, *own)))


@cache
def rules_for(kind: str) -> tuple[Rule, ...]:
    """All rules that a blueprint of this kind can break, in the order of their codes.

    Those that need another type of blueprint are left out: what they are about is no part of this kind.
    """
    blueprint = blueprint_type(kind)
    return tuple(each for each in _scan(folders(kind)) if issubclass(blueprint, each.blueprint))


@cache
def fleet_rules() -> tuple[Rule, ...]:
    """All rules about several blueprints together."""
    return _scan(("fleet",))


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule there is, in the order of their codes."""
    return _scan(_all_folders())


@cache
def soft_codes() -> frozenset[str]:
    """The codes of problems that a comment in the blueprint can silence."""
    return frozenset(each.topic.code for each in all_rules() if not each.firm)


def by_folder() -> list[tuple[str, tuple[Rule, ...]]]:
    """Every folder with its rules, in the order in which a blueprint meets them."""
    return [(folder, _sorted(_found_in(folder))) for folder in _all_folders()]


def _all_folders() -> list[str]:
    of_kinds = dict.fromkeys(folder for kind in KINDS for folder in folders(kind))
    return [*of_kinds, "fleet"]


def _scan(folders: Iterable[str]) -> tuple[Rule, ...]:
    return _sorted(each for folder in folders for each in _found_in(folder))


def _sorted(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(sorted(rules, key=lambda each: each.topic.code))


@cache
def _found_in(folder: str) -> tuple[Rule, ...]:
    package = import_module(f"{__name__}.{folder}")
    modules = (import_module(f"{package.__name__}.{entry.name}") for entry in iter_modules(package.__path__))
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, Rule))


class Crash(NamedTuple):
    """A rule that failed on its own account; the other rules are not affected."""

    rule: Rule
    error: Exception


def run(
    rules: Iterable[Rule], subjects: Iterable[Any], context: Context | None
) -> Iterator[tuple[Rule, Finding] | Crash]:
    """Run each rule on every subject of its type, and yield what it finds.

    `subjects` are the parts of a blueprint; for fleet rules, one Fleet, and no context.
    """
    rules, subjects = tuple(rules), tuple(subjects)
    # Hundreds of rules are about a few types.
    of_type: dict[type | UnionType, list[Any]] = {}
    for each in rules:
        if each.subject not in of_type:
            of_type[each.subject] = [one for one in subjects if isinstance(one, each.subject)]
        for subject in of_type[each.subject]:
            yield from _run_one(each, subject, context)
    if context is not None:
        yield from _run_declared({each.topic.code: each for each in rules}, subjects, context)


def _run_declared(
    rules: Mapping[str, Rule], subjects: Iterable[Any], context: Context
) -> Iterator[tuple[Rule, Finding] | Crash]:
    """Check what the types of the parts declare, under the codes of its rules."""
    for subject in subjects:
        for relation in declared.relations(subject):
            each = rules[relation.code]._replace(check=partial(declared.check, relation))
            yield from _run_one(each, subject, context)


def _run_one(each: Rule, subject: Any, context: Context | None) -> Iterator[tuple[Rule, Finding] | Crash]:
    arguments = (subject,) if context is None else (subject, context)
    try:
        for finding in each.check(*arguments):
            yield each, finding
    except Exception as error:  # noqa: BLE001 - one rule's mistake must not cost the user the other rules
        if not met_broken(error):
            yield Crash(each, error)
