"""Nothing outside of the repository is read on behalf of what lies in it, and none of it is shown."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import BLUEPRINTS, ROOT, Run

from clusterprint.errors import UsageError
from clusterprint.examine import examine
from clusterprint.files.inside import NotRead, read_handle, root_of
from clusterprint.find import POLICY, find
from clusterprint.load import load

PRIVATE = "machine example.com login me password hunter2\n"
SMALLEST = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one good blueprint, beside a secret of whoever looks at it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".netrc").write_text(PRIVATE)
    (tmp_path / "home" / "netrc.yaml").write_text(PRIVATE)
    folder = tmp_path / "repository" / "blueprints"
    folder.mkdir(parents=True)
    (folder.parent / ".git").mkdir()
    (folder / "good.yaml").write_text(SMALLEST)
    return folder.parent


def linked_file(repository: Path) -> Path:
    file = repository / "blueprints" / "bad.yaml"
    file.symlink_to(repository.parent / "home" / ".netrc")
    return file


def linked_folder(repository: Path) -> Path:
    (repository / "more").symlink_to(repository.parent / "home")
    return repository / "more" / "netrc.yaml"


def link_to_link(repository: Path) -> Path:
    (repository / "step").symlink_to("../home")
    (repository / "blueprints" / "bad.yaml").symlink_to("../step/.netrc")
    return repository / "blueprints" / "bad.yaml"


def link_to_another_repository(repository: Path) -> Path:
    """A `.git` at the end of the link is none of this repository."""
    (repository.parent / "home" / ".git").mkdir()
    return linked_folder(repository)


@pytest.mark.parametrize("link", [linked_file, linked_folder, link_to_link, link_to_another_repository])
def test_a_link_out_of_the_repository_is_not_opened(
    link: Callable[[Path], Path], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = link(repository)
    monkeypatch.setattr(os, "open", lambda *_, **__: pytest.fail("it was opened"))
    loaded = load(file)
    assert [(each.code, each.place.span) for each in loaded.diagnostics] == [("BP240", None)]
    assert loaded.text == ""


@pytest.mark.parametrize("command", ["validate", "synth"])
def test_no_command_shows_any_of_it(
    command: str, clusterprint: Run, repository: Path, tmp_path: Path
) -> None:
    linked_file(repository)
    more = ["--out", tmp_path / "out"] if command == "synth" else []
    done = clusterprint(command, *more, cwd=repository)
    assert done.returncode == 1
    assert "error[BP240]: this is a link that leads out of the repository" in done.stdout + done.stderr
    assert "hunter2" not in done.stdout + done.stderr


@pytest.mark.process
def test_the_cdktf_app_shows_none_of_it_either(repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clusterprint.app"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CLUSTERPRINT_BLUEPRINTS": str(linked_file(repository))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "BP240" in done.stderr
    assert "hunter2" not in done.stdout + done.stderr


def test_a_named_folder_that_is_a_link_out_is_refused(clusterprint: Run, repository: Path) -> None:
    linked_folder(repository)
    done = clusterprint("validate", "more", cwd=repository)
    assert done.returncode == 2
    assert "more is a link that leads out of the repository: nothing in it is read" in done.stderr


def test_a_review_shows_none_of_it(clusterprint: Run, repository: Path, tmp_path: Path) -> None:
    base = tmp_path / "base" / "blueprints"
    base.mkdir(parents=True)
    (base / "good.yaml").write_text(SMALLEST)
    linked_file(repository)
    done = clusterprint("review", "--base", tmp_path / "base", "--head", repository)
    assert "BP240" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr


def test_a_review_does_not_take_a_folder_that_is_a_link_out_for_an_empty_one(
    clusterprint: Run, repository: Path, tmp_path: Path
) -> None:
    base = tmp_path / "base" / "more"
    base.mkdir(parents=True)
    (base / "good.yaml").write_text(SMALLEST)
    linked_folder(repository)
    done = clusterprint("review", "--base", tmp_path / "base", "--head", repository, "more")
    assert done.returncode == 2
    assert "leads out of the repository" in done.stderr


def test_a_link_inside_the_repository_is_as_good_as_its_end(repository: Path) -> None:
    (repository / "shared").mkdir()
    (repository / "blueprints" / "good.yaml").rename(repository / "shared" / "good.yaml")
    (repository / "blueprints" / "good.yaml").symlink_to("../shared/good.yaml")
    assert examine([repository / "blueprints"]).diagnostics == []


def test_without_git_it_is_the_named_folder(repository: Path) -> None:
    (repository / ".git").rmdir()
    deep = repository / "blueprints" / "deep"
    deep.mkdir()
    (deep / "again.yaml").symlink_to("../good.yaml")
    assert [each.code for each in examine([deep / "again.yaml"]).diagnostics] == ["BP240"]
    assert {each.code for each in examine([repository]).diagnostics} == {"FL001"}, "both are read"


def test_in_a_scanned_folder_a_link_out_is_reported_unread(repository: Path) -> None:
    deep = repository / "blueprints" / "deep"
    deep.mkdir()
    (deep / "out.yaml").symlink_to(repository.parent / "home" / "netrc.yaml")
    assert [each.code for each in examine([repository / "blueprints"]).diagnostics] == ["BP240"]


def test_a_folder_that_is_a_link_out_is_not_even_listed(repository: Path) -> None:
    linked_folder(repository)
    with pytest.raises(UsageError, match="leads out of the repository"):
        find([repository / "more"])


def test_a_policy_is_no_exception(clusterprint: Run, repository: Path, tmp_path: Path) -> None:
    (repository / POLICY).symlink_to(repository.parent / "home" / ".netrc")
    (tmp_path / "base" / "blueprints").mkdir(parents=True)
    (tmp_path / "base" / "blueprints" / "good.yaml").write_text(SMALLEST)
    done = clusterprint("review", "--base", tmp_path / "base", "--policy", POLICY, cwd=repository)
    assert done.returncode not in (0, 3)
    assert "leads out of the repository" in done.stdout + done.stderr
    assert "hunter2" not in done.stdout + done.stderr


def test_who_reaches_a_repository_through_a_link_of_their_own_is_inside(repository: Path) -> None:
    (repository.parent / "home" / "work").symlink_to(repository)
    file = repository.parent / "home" / "work" / "blueprints" / "good.yaml"
    assert root_of(file) == repository.parent / "home" / "work"
    assert load(file).document is not None


@pytest.mark.parametrize("name", ["/dev/stdin", "-"])
def test_standard_input_is_no_link_out(name: str, clusterprint: Run, repository: Path) -> None:
    with (repository / "blueprints" / "good.yaml").open() as stream:
        done = clusterprint("validate", name, cwd=repository, stdin=stream)
    assert done.returncode == 0, done.stderr


def test_a_pipe_of_the_shell_is_told_the_better_way(clusterprint: Run, repository: Path) -> None:
    done = clusterprint("validate", "/dev/stdin", cwd=repository, started=True, input=SMALLEST)
    assert done.returncode == 1
    assert "this is a pipe, not a file" in done.stdout
    assert "give `-`" in done.stdout


def test_a_pipe_or_a_device_is_not_opened(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(repository / "blueprints" / "pipe.yaml")
    monkeypatch.setattr(os, "open", lambda *_, **__: pytest.fail("it was opened"))
    for file in (repository / "blueprints" / "pipe.yaml", Path("/dev/zero")):
        assert [each.code for each in load(file).diagnostics] == ["BP002"]


def test_a_file_with_nothing_to_read_yet_is_said_to_be_one() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        with pytest.raises(NotRead, match="nothing to read yet"):
            read_handle(reading, 10)
    finally:
        os.close(reading)
        os.close(writing)
