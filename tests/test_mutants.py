"""tools/mutants.py breaks what decides in small ways, and tools/mutant_tests.py sees if a test notices."""

import json
import os
import subprocess
import sys
from pathlib import Path

import mutants
import pytest
from support import ROOT

DECIDES = """\
MOST = 4


def fits(count):
    return count <= MOST


def odd(count):
    return count % 2 == 1


class Room:
    def left(self, count):
        while count < MOST:
            count += 1
        return count
"""
TESTS = """\
from decides.limit import Room, fits, odd


def test_four_fit():
    assert fits(4) and not fits(5)


def test_some_are_odd():
    odd(3)


def test_room():
    assert Room().left(3) == 4
"""
LOOK = """\
import json, sys, time
from pathlib import Path
import pytest
import mutant_tests, mutations

mutant_tests.PATIENCE, mutant_tests.GRACE_SECONDS = 0, 6
changes = [mutations.Change(file, range(*lines), *rest) for file, lines, *rest in json.loads(sys.argv[1])]
told, ends = [], time.monotonic() + 60
plugin = mutant_tests.Noticing(Path.cwd(), ["decides"], changes, lambda _, each: told.append(each), ends)
pytest.main(["-q", "tests"], [plugin])
Path("told.json").write_text(json.dumps([plugin.failed, told]))
"""


def wrong_forms(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    """The mutated expressions of a text."""
    monkeypatch.setattr(mutants, "ROOT", folder)
    file = folder / "text.py"
    file.write_text(text, "utf-8")
    source = text.encode()
    changes = [each.change for each in mutants.mutants(file)]
    return [(source[: each.start] + each.after.encode() + source[each.end :]).decode() for each in changes]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a < 10 ** b", ["(a <= 10 ** b)", "a < (11) ** b"]),
        ("a and b", ["(a or b)", "(a)", "(b)"]),
        ("not a", ["(a)"]),
        ("a if b else c", ["(c if b else a)"]),
        ("min(a, b)", ["(max(a, b))"]),
        ("math.ceil(a)", ["(math.floor(a))"]),
        ("firm = True", ["firm = (False)"]),
        ("a: 'Literal[1]' = b", []),
        ('"ä" + b', ["('ä' - b)"]),
    ],
)
def test_wrong_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, wrong: list[str]) -> None:
    assert wrong_forms(tmp_path, monkeypatch, text) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("if [[ ä -lt 3 ]]; then", ["if [[ ä -le 3 ]]; then"]),
        (
            "[[ -n $a && $b == c ]]",
            ["[[ -z $a && $b == c ]]", "[[ -n $a || $b == c ]]", "[[ -n $a && $b != c ]]"],
        ),
        ("((a <= b)) || die", ["((a < b)) || die", "((a <= b)) && die"]),
        ("if ! grep -n a < b > c; then", ["if  grep -n a < b > c; then"]),
        ("# a && b", []),
    ],
)
def test_wrong_forms_of_scripts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, wrong: list[str]
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    script, source = tmp_path / "script", f"#!/bin/bash\n{text}\n".encode()
    script.write_bytes(source)
    assert mutants.is_script(script)
    changes = [each.change for each in mutants.mutants_of_script(script)]
    made = [source[: each.start] + each.after.encode() + source[each.end :] for each in changes]
    assert [each.decode().splitlines()[1] for each in made] == wrong


def test_what_is_made_of_our_code_can_be_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "clusterprint" / "derived" / "node_pools.py").read_text("utf-8")
    forms = wrong_forms(tmp_path, monkeypatch, text)
    assert len(forms) > 50
    for each in forms[::10]:
        compile(each, "text.py", "exec")


def verdicts(
    folder: Path, *changes: tuple[str, str], tests: str = TESTS
) -> tuple[list[str], list[list[int]]]:
    """Tests that fail without a change; and of each change whether it was noticed, among how many tests."""
    for name, text in (
        ("decides/__init__.py", ""),
        ("decides/limit.py", DECIDES),
        ("tests/test_limit.py", tests),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    asked = []
    for before, after in changes:
        start = DECIDES.index(before)
        line = DECIDES[:start].count("\n") + 1
        asked.append(["decides/limit.py", [line, line + 1], start, start + len(before), after])
    subprocess.run(
        [sys.executable, "-c", LOOK, json.dumps(asked)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}:{ROOT / 'tools'}"},
        check=True,
    )
    failed, told = json.loads((folder / "told.json").read_text("utf-8"))
    assert (folder / "decides/limit.py").read_text("utf-8") == DECIDES
    return failed, told


@pytest.mark.long
@pytest.mark.slow
def test_tests_notice_what_they_run_and_look_at(tmp_path: Path) -> None:
    failed, told = verdicts(
        tmp_path,
        ("count <= MOST", "(count < MOST)"),
        ("count % 2 == 1", "(count % 2 != 1)"),
        ("MOST = 4", "MOST = 5"),
        ("count += 1", "count += 0"),
    )
    assert failed == []
    by_a_fork, never, afresh, by_waiting = told
    assert by_a_fork == [True, 1]
    assert never == [False, 1]
    assert afresh == [True, 3]
    assert by_waiting == [True, 1]


@pytest.mark.slow
def test_nothing_is_said_when_tests_fail_already(tmp_path: Path) -> None:
    failed, told = verdicts(
        tmp_path, ("count <= MOST", "(count < MOST)"), tests=f"{TESTS}\n\ndef test_no():\n    assert False\n"
    )
    assert failed == ["tests/test_limit.py::test_no"]
    assert told == []


@pytest.mark.parametrize(
    ("noticed", "unknown", "enough"),
    [(54, 6, True), (8, 2, True), (79, 21, False), (5, 0, True), (0, 0, False)],
)
def test_a_night_fails_when_too_little_is_noticed(noticed: int, unknown: int, enough: bool) -> None:
    assert mutants.is_enough(noticed, unknown) is enough
