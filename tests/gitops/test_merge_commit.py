"""The commit of a merged request, for the job that destroys; nothing else is touched."""

import sys
from pathlib import Path

import pytest
from pull_request import git

from clusterprint.errors import ClusterprintError, EnvironmentFailure, UsageError
from clusterprint.git.repository import repository
from clusterprint.gitops import merge_commit

pytestmark = pytest.mark.process

REQUEST = "refs/pull/7/head"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of main, which went on after a request took `gone` away; that is at the forge only."""
    forge, folder = tmp_path / "forge", tmp_path / "here"
    forge.mkdir()
    git(forge, "init", "--quiet", "--initial-branch=main")
    for name, text in {"gone": "1\n", "kept": "1\n"}.items():
        (forge / name).write_text(text)
    commit(forge)
    git(forge, "checkout", "--quiet", "-b", "change")
    (forge / "gone").unlink()
    commit(forge)
    git(forge, "update-ref", REQUEST, "HEAD")
    git(forge, "checkout", "--quiet", "main")
    (forge / "new").write_text("2\n")
    commit(forge)
    git(tmp_path, "clone", "--quiet", "--single-branch", f"file://{forge}", str(folder))
    monkeypatch.chdir(folder)
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "x")


def merge(reference: str) -> str:
    around = repository()
    assert around is not None
    return merge_commit.merge(around, reference, {})


def test_a_request_is_merged_beside_the_checkout(here: Path) -> None:
    before = git(here, "rev-parse", "HEAD")
    made = merge(REQUEST)
    assert git(here, "ls-tree", "--name-only", made).split() == ["kept", "new"]
    assert git(here, "rev-parse", f"{made}^") == before == git(here, "rev-parse", "HEAD")
    assert (here / "gone").exists()
    assert git(here, "status", "--porcelain") == ""


def test_a_request_that_conflicts_is_not_merged(here: Path) -> None:
    (here / "gone").write_text("3\n")
    commit(here)
    with pytest.raises(UsageError, match="request 7 cannot be merged as it is"):
        merge(REQUEST)


@pytest.mark.usefixtures("here")
def test_a_request_that_is_not_there_is_said() -> None:
    with pytest.raises(EnvironmentFailure, match="request 8 could not be fetched"):
        merge("refs/pull/8/head")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "reference", ["refs/pull/$(id)/head", "refs/heads/main", "--upload-pack=x", "refs/pull/0/head"]
)
def test_only_requests_are_fetched(reference: str) -> None:
    with pytest.raises(ClusterprintError, match="not the number of a pull or merge request"):
        merge(reference)


def test_a_hook_of_the_checkout_and_a_driver_that_a_tree_names_are_not_run(here: Path) -> None:
    hook = here / ".git/hooks/reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {here}/ran\n")
    hook.chmod(0o755)
    (here / ".gitattributes").write_text("* merge=evil filter=evil diff=evil\n")
    assert merge(REQUEST)
    assert not (here / "ran").exists()


@pytest.mark.usefixtures("here")
def test_the_command_says_the_commit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["merge_commit", REQUEST])
    assert merge_commit.main() == 0
    assert len(capsys.readouterr().out.strip()) == 40
    monkeypatch.setattr(sys, "argv", ["merge_commit"])
    assert merge_commit.main() == 2
