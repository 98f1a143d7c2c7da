"""The page about what only the cloud can prove names what there is."""

import re

from support import ROOT

import clusterprint.nodes

PAGE = (ROOT / "docs/unproven.md").read_text("utf-8")


def test_its_trials_name_blueprints_and_steps_that_there_are() -> None:
    blueprints = re.findall(r"`(blueprints/\S+\.yaml)`", PAGE)
    steps = re.findall(r"`(\d\d-[a-z-]+)`", PAGE)
    there = {
        each.name
        for path in clusterprint.nodes.__path__
        for each in (ROOT / path).glob("vm/files/*/**/steps/*")
    }
    assert len(blueprints) > 2
    assert steps
    assert [each for each in blueprints if not (ROOT / each).is_file()] == []
    assert set(steps) <= there


def test_every_page_that_says_what_is_not_proven_is_named() -> None:
    heading = re.compile(r"^## .*(not proven|nobody has seen|not been tried)", re.MULTILINE | re.IGNORECASE)
    says = {each.name for each in (ROOT / "docs").glob("*.md") if heading.search(each.read_text("utf-8"))}
    assert len(says) > 3
    assert {each for each in says if f"]({each}#" not in PAGE} == set()
