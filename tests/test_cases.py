"""Runs tests/cases: each case is a blueprint with its expectations in it.

A comment `# expect: error[CODE] message` stands on the line that the diagnostic points at; what follows
after ` => `, where it matters, is the way out. A case with several expectations on one line separates them
with ` | `. A case without any must be clean, and its name starts with `ok-`. A folder instead of a file is a
fleet: its blueprints are validated together.
"""

import re
from pathlib import Path

import pytest

from clusterprint.diagnostic import Diagnostic
from clusterprint.examine import examine
from clusterprint.load import load
from clusterprint.validate import validate_together

CASES = Path(__file__).parent / "cases"
EXPECTATION = re.compile(r"# expect: (?P<all>.+)$")

Expected = tuple[str, int, str]


def expectations(file: Path) -> set[Expected]:
    """What the comments of a case say: file name, line, and `severity[code] message`."""
    found: set[Expected] = set()
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
        match = EXPECTATION.search(line)
        if match:
            found.update((file.name, number, each.strip()) for each in match["all"].split(" | "))
    return found


def diagnostics(files: list[Path]) -> list[Diagnostic]:
    """All that one `clusterprint validate` of these files reports."""
    loaded = [load(file, file.name) for file in files]
    found = [diagnostic for each in loaded for diagnostic in each.diagnostics]
    results = validate_together(each.document for each in loaded if each.document is not None)
    return found + [diagnostic for each in results for diagnostic in each.diagnostics]


def told(found: Diagnostic, expected: set[Expected]) -> Expected:
    """A diagnostic as an expectation; with its way out, unless it is expected without."""
    line = found.place.span.line if found.place.span else 0
    text = f"{found.severity.value}[{found.code}] {found.message}"
    short = (found.place.file, line, text)
    return short if short in expected or not found.help else (*short[:2], f"{text} => {found.help}")


def fleets() -> list[Path]:
    """Every case: a blueprint alone, or a folder named `fleet-...` with several."""
    alone = [file for file in CASES.rglob("*.yaml") if not file.parent.name.startswith("fleet-")]
    return sorted([*alone, *(folder for folder in CASES.rglob("fleet-*") if folder.is_dir())])


@pytest.mark.parametrize("case", fleets(), ids=lambda path: str(path.relative_to(CASES)))
def test_case(case: Path) -> None:
    files = sorted(case.glob("*.yaml")) if case.is_dir() else [case]
    expected = set().union(*(expectations(file) for file in files))
    found = [told(each, expected) for each in diagnostics(files)]
    assert sorted(found) == sorted(expected)
    assert bool(expected) != (case.name.startswith(("ok-", "fleet-ok-"))), "only clean cases are named ok-"


@pytest.mark.parametrize("case", sorted((CASES / "many").glob("*.yaml")), ids=lambda path: path.stem)
def test_many_mistakes_are_told_once_each_and_in_the_order_of_the_file(case: Path) -> None:
    found = examine([case]).diagnostics
    lines = [each.place.span.line for each in found if each.place.span]
    assert len(lines) == len(expectations(case)) >= 20
    assert lines == sorted(lines)
