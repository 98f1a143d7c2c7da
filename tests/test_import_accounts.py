"""Importers keep account: no word of an input is read in silence, whatever tool it is of."""

import re
from pathlib import Path

import pytest
from support import ROOT

from clusterprint.importing.formats import Text, translate

INPUTS = ROOT / "tests" / "data" / "importing"
GIVEN = {
    "azure.env": {"SUBSCRIPTION": "00000000-0000-0000-0000-000000000000"},
    "task.yaml": {"project": "my-project"},
}
# Words of a shell or of Terraform, and what stands before the command that is read.
_SYNTAX = {"true", "false", "export", "EOT", "null", "python3"}


def outcome(file: Path, text: str) -> object:
    translated = translate([Text(file.name, text)], None, GIVEN.get(file.name, {}))
    findings = [each[1:4] for each in translated.findings]
    return translated.data, findings, translated.decisions


def words(text: str) -> list[tuple[int, int]]:
    """Where the words of a text are, but for comments."""
    found = []
    for match in re.finditer(r"[A-Za-z0-9_]+", text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        says_nothing = re.match(r'\s*=\s*""', text[match.end() :])
        if "#" not in line and match[0] not in _SYNTAX and not says_nothing:
            found.append(match.span())
    return found


@pytest.mark.parametrize(
    "name",
    [
        "container.tfvars",
        "container-gke.tfvars",
        "mpi.tfvars",
        "azure.env",
        "create.sh",
        "task.yaml",
        "ray.yaml",
    ],
)
def test_no_word_of_an_input_is_read_in_silence(name: str) -> None:
    """By trying: each word, made another one, changes what is written or what is told."""
    file = INPUTS / name
    text = file.read_text()
    before = outcome(file, text)
    silent = []
    for start, end in words(text):
        word = text[start:end]
        another = str(int(word) + 3) if word.isdecimal() else f"{word}x"
        changed = text[:start] + another + text[end:]
        try:
            after = outcome(file, changed)
        except Exception as error:  # noqa: BLE001 - then it is not silent, but it has to be foreseen
            assert type(error).__name__ == "UsageError", (word, error)  # noqa: PT017
            continue
        if after == before:
            silent.append(f"{text.count(chr(10), 0, start) + 1}: {word}")
    assert silent == []
