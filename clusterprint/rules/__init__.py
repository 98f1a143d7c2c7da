"""Semantic rules: a file for each subject, found by scanning the folders below this one.

`every_kind/` is about all blueprints, `google/` about everything on Google Cloud, `vm/` (and so on)
about one kind, `fleet/` about several blueprints together. Neither rules nor kinds are registered here: which
folders a kind meets follows from the types that its blueprint has.
`docs.toml` documents them, `relations.toml` those that types declare.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from types import UnionType
from typing import Any, NamedTuple

from clusterprint.blueprint import KINDS, blueprint_type, lineage
from clusterprint.blueprint.broken import met_broken
from clusterprint.rules import declared, index
from clusterprint.rules.context import Context, Fleet, Member
from clusterprint.rules.rule import Finding, Rule, rule

__all__ = [
    "Context",
    "Finding",
    "Fleet",
    "Member",
    "Rule",
    "all_folders",
    "all_rules",
    "by_folder",
    "fleet_rules",
    "folders",
    "rule",
    "rules_about",
    "rules_for",
    "run",
    "run_declared",
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


def rules_for(kind: str) -> tuple[Rule, ...]:
    """All rules that a blueprint of this kind can break, in the order of their codes.

    Those that need another type of blueprint are left out: what they are about is no part of this kind.
    """
    lineage = _class_names(blueprint_type(kind))
    return _rules(each for each in _entries(folders(kind)) if each.blueprint in lineage)


def rules_about(kind: str, subjects: Iterable[Any]) -> tuple[Rule, ...]:
    """Those of them that can find something about some parts; the others are not imported."""
    parts = defaultdict(list)
    for each in subjects:
        for one in type(each).__mro__:
            parts[one.__name__].append(each)
    return _rules(index.about(folders(kind), parts, _class_names(blueprint_type(kind))))


def fleet_rules() -> tuple[Rule, ...]:
    """All rules about several blueprints together."""
    return _rules(index.entries("fleet"))


def all_rules() -> tuple[Rule, ...]:
    """Every rule there is, in the order of their codes."""
    return _rules(_entries(all_folders()))


@cache
def soft_codes() -> frozenset[str]:
    """The codes of problems that a comment in the blueprint can silence."""
    return frozenset(each.code for each in _entries(all_folders()) if not each.firm)


def by_folder() -> list[tuple[str, tuple[Rule, ...]]]:
    """Every folder with its rules, in the order in which a blueprint meets them."""
    return [(folder, _rules(index.entries(folder))) for folder in all_folders()]


def all_folders() -> list[str]:
    """All folders of rules, from the most general to those of kinds, and that of fleets."""
    of_kinds = dict.fromkeys(folder for kind in KINDS for folder in folders(kind))
    return [*of_kinds, "fleet"]


def _class_names(of_type: type) -> frozenset[str]:
    """The names of a type and of those that it is derived from."""
    return frozenset(each.__name__ for each in of_type.__mro__)


def _entries(several: Iterable[str]) -> Iterator[index.Entry]:
    return (each for folder in several for each in index.entries(folder))


def _rules(entries: Iterable[index.Entry]) -> tuple[Rule, ...]:
    return tuple(each.rule() for each in sorted(entries))


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
    subjects = tuple(subjects)
    # Hundreds of rules are about a few types.
    of_type: dict[type | UnionType, list[Any]] = {}
    for each in rules:
        if each.subject not in of_type:
            of_type[each.subject] = [one for one in subjects if isinstance(one, each.subject)]
        for subject in of_type[each.subject]:
            arguments = (subject,) if context is None else (subject, context)
            yield from _outcomes(lambda each=each: each, partial(each.check, *arguments))  # type: ignore[misc]


def run_declared(
    kind: str, subjects: Iterable[Any], context: Context
) -> Iterator[tuple[Rule, Finding] | Crash]:
    """Check what the types of the parts of a blueprint declare about their fields."""
    for subject in subjects:
        for relation in declared.relations(subject):
            yield from _outcomes(
                partial(_rule_of, kind, relation.code), partial(declared.check, relation, subject, context)
            )


def _rule_of(kind: str, code: str) -> Rule:
    return next(each for each in _entries(folders(kind)) if each.code == code).rule()


def _outcomes(
    whose: Callable[[], Rule], check: Callable[[], Iterator[Finding]]
) -> Iterator[tuple[Rule, Finding] | Crash]:
    """The findings of a check, or its failure; the rule is looked up only if there is one."""
    try:
        for finding in check():
            yield whose(), finding
    except Exception as error:  # noqa: BLE001 - one rule's mistake must not cost the user the other rules
        if not met_broken(error):
            yield Crash(whose(), error)
