"""Requirements of rules: a code of its own, documentation in three parts, a source, and cases."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from every import every

from clusterprint.blueprint import KINDS, blueprint_type
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    ExactlyOne,
    InRegion,
    Names,
    Only,
    Relation,
    Setting,
    Since,
    Unique,
    Within,
    relations_of,
)
from clusterprint.diagnostic import Severity
from clusterprint.editor.schema import schema_at
from clusterprint.load import load_text
from clusterprint.rules import Rule, all_folders, all_rules, by_folder
from clusterprint.rules._facts import facts
from clusterprint.rules.documentation import file_of, tables
from clusterprint.rules.relation_docs import documented, words
from clusterprint.validate import validate

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


def cases(code: str) -> list[Path]:
    """The cases of a rule: blueprints, and fleets of them."""
    return [*(CASES / code).glob("*.yaml"), *(CASES / code).glob("fleet-*/")]


def text(case: Path) -> str:
    """The content of a case."""
    files = case.glob("*.yaml") if case.is_dir() else [case]
    return "".join(file.read_text("utf-8", "replace") for file in files)


PROVISIONER = """\
  tpu_provisioner: {}
cluster:
  maintenance:
    exclusions:
      - name: slices
        start: "2026-12-01T00:00:00Z"
        until_end_of_support: true
        scope: no_minor_or_node_upgrades
"""


@pytest.mark.parametrize(
    ("case", "advice"),
    [
        ("GKE112/no-pools", "node_pools: [{name: p, machine_type: n2-standard-8, count: 1}]\n"),
        ("GKE112/no-pools", PROVISIONER),
        ("GKE315/none", "      cert_manager: {}\n"),
    ],
)
def test_who_does_what_the_help_says_has_no_error_left(case: str, advice: str) -> None:
    """Only the key that the help names is added."""
    document = load_text(((CASES / f"{case}.yaml").read_text() + advice).encode(), "x.yaml", CASES).document
    assert document
    assert not [each for each in validate(document).diagnostics if each.severity is Severity.ERROR]


def test_codes_are_unique() -> None:
    counts = Counter(rule.topic.code for rule in all_rules())
    assert [code for code, count in counts.items() if count > 1] == []


@every(
    [(folder, rule) for folder, rules in by_folder() for rule in rules],
    lambda item: item[1].topic.code,
)
def test_rule_is_complete(item: tuple[str, Rule]) -> None:
    """It stands where its code says, explains itself, and has cases of both sorts."""
    folder, rule = item
    topic = rule.topic
    if topic.code not in documented(folder):
        assert rule.check.__module__.split(".")[-2] == folder
    assert topic.code.rstrip("0123456789") == PREFIXES[folder], "its code fits the folder"
    assert len(topic.code) == len(PREFIXES[folder]) + 3
    parts = topic.docs.split("\n\n")
    assert len(parts) == 3, "the documentation says what, why, and what to do"
    assert "\n" not in parts[0], "what it is stands on one line"
    assert all(part.strip() for part in parts)
    assert topic.source.strip(), "its source is named"
    finding = f"{topic.severity.value}[{topic.code}] "
    assert any(finding in text(case) for case in cases(topic.code)), "it has a case that it finds"
    assert any(case.name.startswith(CLEAN) for case in cases(topic.code)), "and one that it leaves alone"


@every(all_folders(), lambda folder: folder)
def test_documentation_is_of_rules_and_in_order(folder: str) -> None:
    """No table is left of a rule that is gone, and none is hard to find."""
    told = list(tables(folder, "docs"))
    assert told == sorted(told)
    (of_folder,) = (found for name, found in by_folder() if name == folder)
    written = [rule.code for rule in of_folder if rule.code not in documented(folder)]
    assert told == written


def parts(below: type[Part] = Part) -> Iterator[type[Part]]:
    """All types of parts of blueprints."""
    for each in below.__subclasses__():
        yield each
        yield from parts(each)


RELATIONS = sorted(
    {each for kind in KINDS if blueprint_type(kind) for part in parts() for each in relations_of(part)},
    key=repr,
)


def said_about(relation: Relation) -> str:
    """A part of the message about a relation that does not depend on the blueprint."""
    match relation:
        case Names():
            return f"there is no {relation.what} "
        case Unique():
            return max(re.split(r"{[^}]*}", relation.message), key=len)
        case Only():
            return " is a key of "  # each key is tried in test_variants
        case ExactlyOne():
            return " has both "
        case InRegion():
            return " is in region "
        case _:
            return max(re.split(r"{[^}]*}", words(relation.code, relation.words)["message"]), key=len)


@every(RELATIONS, repr)
def test_relation_is_complete(relation: Relation) -> None:
    """It has a rule that documents it, and a case that it finds."""
    if not relation.code:
        return
    assert any(relation.code == rule.topic.code for rule in all_rules())
    lines = "".join(map(text, cases(relation.code))).splitlines()
    assert any(f"[{relation.code}]" in line and said_about(relation) in line for line in lines)


def facts_in(relation: Relation) -> set[str]:
    """The facts that a relation names, in its settings and its words."""
    settings = [each for each in relation if isinstance(each, Setting)]
    settings += [
        one for each in relation if isinstance(each, tuple) for one in each if isinstance(one, Setting)
    ]
    paths = [each.path for each in settings]
    if isinstance(relation, Within):
        paths += [relation.field, relation.least, relation.most]
    elif isinstance(relation, Since):
        paths += [relation.feature]
    return {key[1:] for path in paths for key in path.split(".") if key.startswith("@")}


def test_facts_of_relations_exist_and_are_used() -> None:
    """A name that no table has would be an error in a blueprint; a fact that nothing names is left behind."""
    named = {fact for each in RELATIONS for fact in facts_in(each)}
    assert named <= set(facts("GKE"))
    words_of = file_of("gke", "relations").read_text("utf-8")
    places = " ".join(each.place for each in facts("GKE").values() if isinstance(each.place, str))
    unused = {each for each in set(facts("GKE")) - named if f"{{{each}" not in words_of + places}
    assert not unused


@every([(folder, code) for folder in all_folders() for code in documented(folder)], lambda item: item[1])
def test_what_is_documented_is_declared(item: tuple[str, str]) -> None:
    """No words are left behind by a relation that went."""
    _, code = item
    assert code in {each.code for each in RELATIONS}


@pytest.mark.parametrize(
    "path", sorted({path for each in RELATIONS if isinstance(each, Names) for path in each.lists})
)
def test_a_list_that_fields_name_items_of_has_names(path: str) -> None:
    found = [schema_at(kind, tuple(path.split("."))) for kind in KINDS]
    assert any("name" in each["properties"] for each in found if each)


def test_every_folder_of_cases_belongs_to_a_rule() -> None:
    codes = {rule.topic.code for rule in all_rules()}
    assert {folder.name for folder in CASES.iterdir()} - codes == set()
