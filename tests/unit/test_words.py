"""How numbers and names are put into sentences, and that nobody does so by hand."""

import re
from pathlib import Path

import pytest
from support import effort

import clusterprint
from clusterprint import catalog, words
from clusterprint.cli import azure_sizes, machines, tpus
from clusterprint.editor.words import machine_facts, machine_in_short
from clusterprint.words.guesses import alike, likeness

PACKAGE = Path(clusterprint.__file__).parent
OTHERS = sorted(file for file in PACKAGE.rglob("*.py") if file != Path(words.__file__))


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 nodes"),
        (1, "1 node"),
        (2, "2 nodes"),
        (1200, "1,200 nodes"),
        (2.5, "2.5 nodes"),
        (3.0, "3 nodes"),
        (0.125, "0.125 nodes"),
        (1980931.2, "1,980,931.2 nodes"),
    ],
)
def test_things_are_counted(number: float, said: str) -> None:
    assert words.counted(number, "node") == said


def test_units_are_plural_unless_there_is_one() -> None:
    given = ((1, "GPUs"), (0, "GPUs"), (1, "addresses"), (1, "GB"), (1200, "rules"))
    said = [words.in_units(*each) for each in given]
    assert said == ["1 GPU", "0 GPUs", "1 address", "1 GB", "1,200 rules"]


def test_of_one_thing_nothing_says_several() -> None:
    """Facts of every machine type, beside names of the catalog: `1 vCPU`, `1 host, 1 chip`."""
    several = re.compile(r"(?<![\w.,:/x-])1 (?:\w+ )?(?:vCPU|GPU|NIC|chip|host|machine|node|subnet|core)s\b")
    said = [
        *(fact for each in catalog.machines() for _, fact in machines._facts(each)),  # noqa: SLF001
        *(fact for each in catalog.azure_sizes() for _, fact in azure_sizes.facts(each)),
        *(
            fact
            for each in catalog.tpu_types()
            for name in each.machines
            for _, fact in tpus.facts(each, name)
        ),
        *(machine_in_short(each.name) for each in catalog.machines()),
        *(line for each in catalog.machine_names() for line in machine_facts(each)),
        *(machine_in_short(name) for each in catalog.tpu_types() for name in each.machines),
    ]
    assert [each for each in said if several.search(each)] == []


def test_a_guess_is_a_question() -> None:
    assert words.did_you_mean("a4", "a4x") == "did you mean a4 or a4x?"
    assert words.did_you_mean("a4", about="a series") == "did you mean a4 (a series)?"
    assert words.did_you_mean("") == words.did_you_mean() == ""


@pytest.mark.parametrize("idiom", ["{'' if ", "did you mean {", "'s'}"])
def test_nobody_words_them_by_hand(idiom: str) -> None:
    assert [file.name for file in OTHERS if idiom in file.read_text("utf-8")] == []


def test_docstrings_begin_with_a_noun_or_verb() -> None:
    """Such as "The quota for GPUs", not "What counts GPUs": see the words in CONTRIBUTING.md."""
    riddle = re.compile(r'^ *"""(?:What|Whatever|Whoever) .*|description="(?:What|Who) .*', re.MULTILINE)
    files = [*OTHERS, *(PACKAGE.parent / "stacks").rglob("*.py")]
    assert [(file.name, each) for file in files for each in riddle.findall(file.read_text("utf-8"))] == []


def test_one_module_compares_words() -> None:
    """The matcher that guesses; the other one shows the difference of two texts."""
    imports = re.compile(r"^ *(?:import|from) difflib", re.MULTILINE)
    users = [file for file in OTHERS if imports.search(file.read_text("utf-8"))]
    assert [file.relative_to(PACKAGE).as_posix() for file in users] == ["review/texts.py", "words/guesses.py"]


def test_a_word_that_is_far_too_long_is_not_compared_letter_by_letter() -> None:
    assert alike("zones" + "x" * 3, ["zones"]) == ["zones"]
    assert effort(lambda: alike("zones" * 10_000, ["zones", "region"])) < 100
    assert likeness("vm" * 10_000, "vm") == (0, 0)
