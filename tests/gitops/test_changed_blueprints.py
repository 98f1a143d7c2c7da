"""Which blueprints a change touches and takes away, and which of those still stand."""

import json
import sys
from pathlib import Path

import pytest
from gitops.conftest import VM
from pull_request import Repository, git
from stand_ins import Answer, StandIns

from clusterprint.gitops import changed_blueprints, still_deployed

pytestmark = pytest.mark.process


def cluster(status: str, *files: str, previous: str = "") -> dict[str, object]:
    return {"status": status, "files": list(files), "previous_name": previous}


def test_a_cluster_that_is_renamed_is_made_and_taken_away() -> None:
    found = changed_blueprints.touched(
        [
            cluster("orphaned", "gone.yaml"),
            cluster("unchanged", "same.yaml"),
            cluster("changed", "old.yaml", "moved.yaml"),
            cluster("changed", "one.yaml", previous="two"),
        ]
    )
    assert found == {"changed": ["moved.yaml", "one.yaml"], "removed": ["gone.yaml", "one.yaml"]}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"clusters": [{}]}'])
def test_what_is_no_report_ends_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    file = tmp_path / "review.json"
    file.write_text(content)
    monkeypatch.setattr(sys, "argv", ["changed_blueprints", str(file)])
    assert changed_blueprints.main() == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "told",
    [(0, [], True), (4, ["blueprints/first.yaml"], True), (3, ["blueprints/first.yaml"], False)],
)
def test_what_could_not_be_asked_counts_as_standing(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: tuple[int, list[str], bool]
) -> None:
    code, stands, asked = told
    repository.propose({"blueprints/first.yaml": None})
    tools = StandIns(tmp_path / "bin", clusterprint=[Answer("^down --plan-only --read-only", code=code)])
    monkeypatch.chdir(repository.checkout(tmp_path / "workspace"))
    command = str(tools.folder / "clusterprint")
    assert still_deployed.standing("HEAD^1", ["blueprints/first.yaml"], command) == (stands, asked)
    (call,) = tools.calls
    assert call[-1].endswith("/blueprints/first.yaml")


@pytest.mark.parametrize("given", ["", "{}", "[1]", '["blueprints/none.yaml"]', '["../outside.yaml"]'])
def test_a_list_that_cannot_be_meant_is_refused(
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: str,
) -> None:
    monkeypatch.chdir(repository.checkout(tmp_path / "workspace", "main"))
    monkeypatch.setattr(sys, "argv", ["still_deployed", "HEAD", given])
    assert still_deployed.main() == 2
    assert capsys.readouterr().out == ""


def test_the_blueprint_is_that_of_the_earlier_version(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    repository.propose({"blueprints/first.yaml": VM.replace("first", "second")})
    monkeypatch.chdir(repository.checkout(tmp_path / "workspace"))
    command = tmp_path / "command"
    command.write_text('#!/bin/sh\nfor file; do :; done\ncat "$file"\n')
    command.chmod(0o755)
    monkeypatch.setenv("CLUSTERPRINT", str(command))
    monkeypatch.setattr(sys, "argv", ["still_deployed", "HEAD^1", json.dumps(["blueprints/first.yaml"])])
    assert still_deployed.main() == 0
    said = capfd.readouterr()
    assert said.out == "[]\n"
    assert "name: first" in said.err
    assert git(tmp_path / "workspace", "status", "--porcelain") == ""
