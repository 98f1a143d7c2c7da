"""Runs tests/cases: each case is a blueprint with its expectations in it.

A comment `# expect: error[CODE] message` stands on the line that the diagnostic points at; what follows
after ` => `, where it matters, is the help. A message that goes on with a list of all that there is ends
in ` ...` in its place. A case with several expectations on one line separates them
with ` | `. A case without any must be clean, and its name starts with `ok-`. A folder instead of a file is a
fleet: its blueprints are validated together.

Comments say what is found and where; `expected.txt` in each folder is what people read of it, help, columns
and labels and all. `make cases` rewrites it; the difference is reviewed like code.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from every import check_every

from clusterprint.diagnostic import Diagnostic
from clusterprint.examine import Examined, examine
from clusterprint.load.defaults import DEFAULTS
from clusterprint.render import text

CASES = Path(__file__).parent / "cases"
EXPECTATION = re.compile(r"# expect: (?P<all>.+)$", re.MULTILINE)
# What `expected.txt` has in full.
_GOES_ON = " ..."
# Before what is read of each case; no line of that begins so.
HEADLINE = "==== "

Expected = tuple[str, int, str]


def expectations(file: Path) -> set[Expected]:
    """The expectations in comments of a case: file name, line, and `severity[code] message`."""
    found: set[Expected] = set()
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
        match = EXPECTATION.search(line)
        if match:
            found.update((file.name, number, each.strip()) for each in match["all"].split(" | "))
    return found


def told(found: Diagnostic, expected: set[Expected]) -> Expected:
    """A diagnostic as an expectation; with its help, unless it is expected without."""
    line = found.place.span.line if found.place.span else 0
    message = f"{found.severity.value}[{found.code}] {found.message}"
    short = (found.place.file, line, message)
    for each in expected:
        if each[:2] == short[:2] and each[2].endswith(_GOES_ON) and message.startswith(each[2][:-3]):
            return each
    return short if short in expected or not found.help else (*short[:2], f"{message} => {found.help}")


def examined(case: Path) -> Examined:
    """All that one `clusterprint validate` of a case reports."""
    there = sorted(case.glob("*.yaml")) if case.is_dir() else [case]
    files = [file for file in there if file.name != DEFAULTS]
    return examine(files, name=lambda file: file.name)


@cache
def rendered(folder: Path) -> dict[str, str]:
    """The expected text of each case of a folder, by the name of the case."""
    file = folder / "expected.txt"
    sections = file.read_text("utf-8").split(HEADLINE)[1:] if file.exists() else []
    return {name: body.rstrip("\n") for name, _, body in (each.partition("\n") for each in sections)}


def write(folder: Path, sections: dict[str, str]) -> None:
    """Keep what is to be read of the cases of a folder."""
    lines = "\n".join(f"{HEADLINE}{name}\n{sections[name]}\n" for name in sorted(sections))
    (folder / "expected.txt").write_text(lines, "utf-8", newline="\n")


def folders() -> dict[Path, list[Path]]:
    """Every case by its folder: a blueprint alone, or a folder named `fleet-...` with several."""
    alone = [file for file in CASES.rglob("*.yaml") if not file.parent.name.startswith("fleet-")]
    found: dict[Path, list[Path]] = {}
    for case in sorted([*alone, *(folder for folder in CASES.rglob("fleet-*") if folder.is_dir())]):
        found.setdefault(case.parent, []).append(case)
    return found


FOLDERS = folders()


@pytest.fixture(scope="module")
def updated(request: pytest.FixtureRequest) -> Iterator[dict[Path, str] | None]:
    """With --update-cases: what is read of each case now, written into its folder in the end."""
    if not request.config.getoption("--update-cases"):
        yield None
        return
    made: dict[Path, str] = {}
    yield made
    for folder in sorted({case.parent for case in made}):
        now = {case.name: read for case, read in made.items() if case.parent == folder}
        there = {name: read for name, read in rendered(folder).items() if (folder / name).exists()}
        if sections := {name: read for name, read in {**there, **now}.items() if read}:
            write(folder, sections)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(CASES)))
def test_cases(folder: Path, updated: dict[Path, str] | None) -> None:
    check_every(lambda case: check(case, updated), FOLDERS[folder], lambda case: case.name)
    assert [name for name in rendered(folder) if not (folder / name).exists()] == []


def check(case: Path, updated: dict[Path, str] | None) -> None:
    """That all is found which a case expects, and nothing else, and how it reads."""
    reported = examined(case)
    files = case.glob("*.yaml") if case.is_dir() else [case]
    expected = set().union(*(expectations(file) for file in files))
    found = [told(each, expected) for each in reported.diagnostics]
    assert sorted(found) == sorted(expected)
    assert bool(expected) != (case.name.startswith(("ok-", "fleet-ok-"))), "only clean cases are named ok-"
    sources = {name: EXPECTATION.sub("", source) for name, source in reported.sources.items()}
    read = text.render(reported.diagnostics, sources).rstrip("\n")
    if updated is None:
        assert read == rendered(case.parent).get(case.name, ""), (
            "if this is meant: make cases, and review the difference"
        )
    else:
        updated[case] = read


def test_what_is_rendered_lies_beside_cases() -> None:
    assert {file.parent for file in CASES.rglob("expected.txt")} <= FOLDERS.keys()


@pytest.mark.parametrize("case", sorted((CASES / "many").glob("*.yaml")), ids=lambda path: path.stem)
def test_many_mistakes_are_told_once_each_and_in_the_order_of_the_file(case: Path) -> None:
    found = examine([case]).diagnostics
    lines = [each.place.span.line for each in found if each.place.span]
    assert len(lines) == len(expectations(case)) >= 20
    assert lines == sorted(lines)
