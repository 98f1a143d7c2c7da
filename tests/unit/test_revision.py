"""Earlier versions are read from git, and nothing that a repository can name is run or followed."""

import ast
import re
import subprocess
from pathlib import Path

import hostile_git
import pytest
from pull_request import Repository, git
from support import ROOT

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.git.repository import repository
from clusterprint.revision import at_revision, commit_of, read_at

pytestmark = pytest.mark.process

FILES: dict[str, str | None] = {
    "blueprints/a.yaml": "one\n",
    "blueprints/files/b.txt": "two\r\n",
    "README.md": "-\n",
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a few files, and the current folder in it."""
    repository = Repository(tmp_path / "repository")
    repository.commit(FILES)
    monkeypatch.chdir(repository.folder)
    return repository


def laid(revision: str, *paths: str) -> dict[str, str]:
    """The content of the folder of an earlier version."""
    with at_revision(revision, [Path(path) for path in paths]) as earlier:
        return {
            file.relative_to(earlier.folder).as_posix(): file.read_bytes().decode()
            for file in sorted(earlier.folder.rglob("*"))
            if file.is_file()
        }


def test_it_is_what_was_committed(made: Repository) -> None:
    first = git(made.folder, "rev-parse", "HEAD")
    made.commit({"blueprints/a.yaml": "changed\n", "blueprints/files/b.txt": None})
    (made.folder / "blueprints/a.yaml").write_text("not committed\n")
    assert laid(first, "blueprints") == {"blueprints/a.yaml": "one\n", "blueprints/files/b.txt": "two\r\n"}
    assert laid("HEAD", "blueprints/a.yaml") == {"blueprints/a.yaml": "changed\n"}
    assert laid("HEAD", "nowhere") == {}
    assert set(laid("HEAD", ".")) == {"README.md", "blueprints/a.yaml"}
    assert read_at(first, Path("blueprints/a.yaml")) == b"one\n"
    assert read_at(first, Path("blueprints")) is None
    assert read_at(first, Path("nowhere/a.yaml")) is None


def test_it_is_the_same_from_a_folder_below(made: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("blueprints")
    assert set(laid("HEAD", ".")) == {"blueprints/a.yaml", "blueprints/files/b.txt"}
    assert set(laid("HEAD", "..")) == {"README.md", "blueprints/a.yaml", "blueprints/files/b.txt"}
    assert read_at("HEAD", Path("../README.md")) == b"-\n"
    assert read_at("HEAD", made.folder / "README.md") == b"-\n"


# ---- which repository


def test_a_bare_repository_inside_a_commit_is_a_folder_like_any_other(
    made: Repository, tmp_path: Path
) -> None:
    hit, program = hostile_git.trap(tmp_path)
    hostile_git.bare_inside(made.folder / "blueprints", program, made.folder / ".git/objects")
    commit = made.commit({})
    there = git(made.folder / "blueprints", "-c", "safe.bareRepository=all", "rev-parse", "--git-dir")
    assert there == ".", "git itself would take the folder for a repository"
    assert laid(commit, "blueprints")["blueprints/a.yaml"] == "one\n"
    assert read_at(commit, Path("blueprints/a.yaml")) == b"one\n"
    assert not hit.exists()


def test_from_inside_of_it_too(made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hit, program = hostile_git.trap(tmp_path)
    hostile_git.bare_inside(made.folder / "blueprints", program, made.folder / ".git/objects")
    commit = made.commit({})
    monkeypatch.chdir("blueprints")
    assert laid(commit, ".")["blueprints/a.yaml"] == "one\n"
    assert not hit.exists()


def test_a_bare_repository_in_place_of_a_broken_one_is_refused(made: Repository, tmp_path: Path) -> None:
    _, program = hostile_git.trap(tmp_path)
    hostile_git.bare_inside(made.folder, program, made.folder / ".git/objects")
    (made.folder / ".git/HEAD").unlink()
    with pytest.raises(EnvironmentFailure, match="repository"):
        commit_of("HEAD")


def test_nothing_that_the_configuration_of_a_checkout_names_is_run(made: Repository, tmp_path: Path) -> None:
    hit, program = hostile_git.trap(tmp_path)
    commit = made.commit({"blueprints/.gitattributes": "* filter=x diff=x export-subst\n"})
    hostile_git.arm(made.folder, program)
    hit.unlink(missing_ok=True)  # making it may have set some off
    assert laid(commit, "blueprints")["blueprints/a.yaml"] == "one\n"
    assert commit_of("HEAD~1")
    assert not hit.exists(), hit.read_text()


def test_no_replacement_of_a_commit_counts(made: Repository) -> None:
    first = git(made.folder, "rev-parse", "HEAD")
    second = made.commit({"blueprints/a.yaml": "replaced\n"})
    git(made.folder, "replace", first, second)
    assert laid(first, "blueprints/a.yaml")["blueprints/a.yaml"] == "one\n"


def test_what_a_partial_clone_lacks_is_not_fetched(
    made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hit, program = hostile_git.trap(tmp_path)
    git(made.folder, "config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    git(
        tmp_path,
        "clone",
        "--quiet",
        "--no-checkout",
        "--filter=blob:none",
        made.folder.as_uri(),
        str(partial),
    )
    git(partial, "config", "remote.origin.url", "ext::" + program)
    git(partial, "config", "protocol.ext.allow", "always")
    monkeypatch.chdir(partial)
    with pytest.raises(EnvironmentFailure, match="the clone is partial"):
        laid("origin/main", "blueprints")
    assert not hit.exists()


@pytest.mark.usefixtures("made")
def test_the_environment_does_not_say_which_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    assert "blueprints/a.yaml" in laid("HEAD", "blueprints")


@pytest.mark.parametrize("path", ["..", "../other.yaml", "/etc/passwd", "out", "out/passwd"])
def test_paths_outside_of_the_repository_are_wrong_usage(path: str, made: Repository) -> None:
    (made.folder / "out").symlink_to("/etc")
    with pytest.raises(UsageError, match="outside of the git repository"):
        laid("HEAD", path)


def test_a_path_in_another_repository_is_wrong_usage(made: Repository) -> None:
    Repository(made.folder / "blueprints/inner")
    with pytest.raises(UsageError, match="belongs to another git repository"):
        laid("HEAD", "blueprints/inner/a.yaml")


def test_outside_of_a_repository_there_is_nothing_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert repository() is None
    assert (commit_of("HEAD"), read_at("HEAD", Path("a.yaml"))) == ("", None)
    with pytest.raises(UsageError, match="no git repository"):
        laid("HEAD", "a.yaml")


@pytest.mark.usefixtures("made")
def test_an_unknown_revision_is_wrong_usage() -> None:
    for revision in ("nowhere", "--output=/tmp/x", "", "HEAD:README.md"):
        with pytest.raises(UsageError, match="no revision"):
            laid(revision, "blueprints")


# ---- links


def test_links_are_followed_inside_of_the_commit_only(made: Repository) -> None:
    def link(name: str, target: str) -> None:
        (made.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (made.folder / name).symlink_to(target)

    link("current", "./blueprints")
    link("p/around", "../current")
    link("up", "../../..")
    link("out", "/etc")
    link("blueprints/passwd", "/etc/passwd")
    link("blueprints/readme", "../README.md")
    link("blueprints/q/d", "../..")
    link("blueprints/q/e", "d/../passwd")
    link("loop", "loop")
    commit = made.commit({})
    for name in ("up", "out", "loop"):
        (made.folder / name).unlink()
    expected = {"blueprints/a.yaml", "blueprints/files/b.txt"}
    for name in ("current", "p/around"):
        with at_revision(commit, [Path(name)]) as earlier:
            assert (earlier.folder / name / "a.yaml").read_text() == "one\n"
            assert expected <= set(laid(commit, name))
    assert read_at(commit, Path("p/around/a.yaml")) == b"one\n"
    assert read_at(commit, Path("current/../README.md")) == b"-\n"
    for name in ("up", "out", "loop"):
        assert laid(commit, name) == {}
    with at_revision(commit, [Path()]) as earlier:
        links = {
            each.relative_to(earlier.folder).as_posix()
            for each in earlier.folder.rglob("*")
            if each.is_symlink()
        }
        assert links == {"current", "p/around", "blueprints/readme", "blueprints/q/d"}


def test_a_link_in_the_work_tree_does_not_change_what_was_there(made: Repository) -> None:
    """Else a change could choose which earlier file it is judged by."""
    (made.folder / "README.md").unlink()
    (made.folder / "README.md").symlink_to("new.md")
    (made.folder / "new.md").write_text("mine\n")
    assert read_at("HEAD", Path("README.md")) == b"-\n"


def test_a_tree_that_git_would_not_check_out_writes_nothing_outside(made: Repository, tmp_path: Path) -> None:
    blob = git(made.folder, "rev-parse", "HEAD:README.md")
    outside = subprocess.run(
        ["git", "-C", made.folder, "hash-object", "-w", "--stdin"],
        input=str(tmp_path), capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    below = tree(made.folder, [("100644", blob, "written"), ("120000", outside, "linked")])
    root = tree(
        made.folder,
        [
            ("120000", outside, "d"), ("40000", below, "d"), ("40000", below, ".."), ("40000", below, ".git"),
            ("100644", blob, "ok"),
        ],
    )  # fmt: skip
    commit = git(made.folder, "commit-tree", "-m", "hostile", root)
    before = sorted(tmp_path.iterdir())
    with at_revision(commit, [Path()]) as earlier:
        assert (earlier.folder / "ok").read_text() == "-\n"
        assert not list(earlier.folder.parent.glob("written"))
        assert not (earlier.folder / ".git").exists()
    assert sorted(tmp_path.iterdir()) == before


def tree(folder: Path, entries: list[tuple[str, str, str]]) -> str:
    """A tree object with whatever names; git's own commands would refuse them."""
    content = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(number) for mode, number, name in entries)
    done = subprocess.run(
        ["git", "-C", folder, "hash-object", "-t", "tree", "-w", "--stdin", "--literally"],
        input=content, capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout.decode().strip()


# ---- nobody else starts git


@pytest.mark.slow
def test_no_other_module_starts_git() -> None:
    """Programs are started by lists (the linter sees to that), and only one module has one with git.

    A table of words may hold this one, in a module that can start nothing.
    """
    folders = ("clusterprint", "stacks", "simcloud/clusterprint_simcloud")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    starting = {
        file.relative_to(ROOT).as_posix()
        for file in [*files, ROOT / "main.py"]
        if re.search(r"subprocess|import os\b|from os\b|pty", text := file.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and Path(node.value).name == "git"
    }
    assert starting == {"clusterprint/git/process.py"}


#: Fetching clusterprint itself, into a folder outside of the checkout, before there is a clusterprint.
BOOTSTRAP = {
    'git init --quiet "$tools/source"',
    'git -C "$tools/source" fetch --quiet --depth=1 "__REPOSITORY__" "__REVISION__"',
    'git -C "$tools/source" checkout --quiet --detach FETCH_HEAD',
}


def test_no_script_of_ci_starts_git_in_the_checkout() -> None:
    scripts = [ROOT / "action.yml", ROOT / "setup/action.yml", ROOT / ".pre-commit-hooks.yaml"]
    scripts += [
        each for each in ROOT.glob("clusterprint/gitops/**/*") if each.suffix in {".sh", ".yml", ".yaml"}
    ]
    # It commits evidence to a branch, in a checkout of the protected branch: nothing of a change is there.
    weekly = ROOT / "clusterprint/gitops/templates/github/clusterprint-prove.yaml"
    assert "pull_request:" not in weekly.read_text("utf-8")
    assert "github.ref == 'refs/heads/__BRANCH__'" in weekly.read_text("utf-8")
    scripts.remove(weekly)
    called = {
        match[0].strip()
        for file in scripts
        for line in file.read_text("utf-8").splitlines()
        if not line.lstrip().startswith("#")
        for match in re.finditer(r"(?<![\w./-])git\s+[-a-z].*", line)
    }
    assert len(scripts) > 6
    assert called == BOOTSTRAP
