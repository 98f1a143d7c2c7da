"""`validate --jobs`: the same as in one process, with most of the work elsewhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run, effort

from clusterprint.examine import examine, processes

ONE = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
MANY = 120


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """So many blueprints that it pays, on a machine with two processors, some of them wrong."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    for number in range(MANY):
        text = ONE.replace("name: first", f"name: c{number}")
        if number % 7 == 0:
            text += (
                "x-y: [\n" if number % 2 else "labels: {Team_A: ghp_0123456789abcdefghijklmnopqrstuvwxyz}\n"
            )
        (tmp_path / f"c{number:03}.yaml").write_text(text)
    return tmp_path


@pytest.mark.slow
def test_two_processes_find_the_same_as_one(folder: Path) -> None:
    one, two = examine([folder]), examine([folder], 2)
    assert one.errors > MANY // 7
    assert (two.diagnostics, two.sources) == (one.diagnostics, one.sources)
    assert [each.document for each in two.results] == [each.document for each in one.results]
    assert [each.blueprint for each in two.results] == [each.blueprint for each in one.results]


@pytest.mark.slow
def test_most_of_the_work_is_done_elsewhere(folder: Path) -> None:
    examine([folder])  # imports, and what is kept
    alone = effort(lambda: examine([folder]))
    shared = effort(lambda: examine([folder], 2))
    assert shared < alone / 3


@pytest.mark.slow
def test_standard_input_is_read_with_several_processes_too(folder: Path) -> None:
    command = [sys.executable, "-m", "clusterprint", "validate", "--jobs", "2"]
    given = [folder / "c001.yaml", "-", folder]
    done = [
        subprocess.run(
            [*command[:-1], jobs, *map(str, given)], input=ONE, capture_output=True, text=True, check=False
        )
        for jobs in ("1", "2")
    ]
    assert "--> -" not in done[0].stdout, "there is nothing wrong with it"
    assert (done[1].stdout, done[1].stderr) == (done[0].stdout, done[0].stderr)


@pytest.mark.parametrize(
    ("jobs", "files", "processors", "wanted"),
    [(1, 5000, 8, 1), (4, 5000, 8, 4), (4, 5000, 2, 2), (4, 120, 8, 2), (4, 60, 8, 1), (4, 0, 8, 1)],
)
def test_there_are_no_more_than_pay(
    jobs: int, files: int, processors: int, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)), raising=False)
    assert processes(jobs, files) == wanted


def test_few_blueprints_start_no_process(clusterprint: Run) -> None:
    assert clusterprint("validate", "--jobs", "64").stdout == clusterprint("validate").stdout
