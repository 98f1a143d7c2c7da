"""[tool.clusterprint] in pyproject.toml: where blueprints are, and formats; options win."""

import json
import shutil
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from support import BLUEPRINTS, Run

from clusterprint.cli import group
from clusterprint.cli.settings import Settings

FIRST = '[tool.clusterprint]\nblueprints = "clusters"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a blueprint outside of blueprints/, and settings for it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "clusters").mkdir()
    shutil.copy(BLUEPRINTS / "vm-smallest.yaml", tmp_path / "clusters")
    (tmp_path / "pyproject.toml").write_text(f'{FIRST}[tool.clusterprint.format]\nvalidate = "json"\n')
    return tmp_path


def test_blueprints_are_where_the_settings_say(folder: Path, clusterprint: Run) -> None:
    (folder / "below").mkdir()
    for where in (folder, folder / "below"):
        found = clusterprint("validate", cwd=where)
        assert (found.returncode, json.loads(found.stdout)["summary"]["files"]) == (0, 1), found
        assert clusterprint("show", "first", cwd=where).returncode == 0
        assert "first" in clusterprint("list", cwd=where).stdout


def test_options_win(folder: Path, clusterprint: Run) -> None:
    assert clusterprint("validate", "--format", "text", cwd=folder).stdout.startswith("1 blueprint checked")
    (folder / "others").mkdir()
    assert "no blueprints" in clusterprint("validate", "--in", "others", cwd=folder).stderr
    assert clusterprint("validate", "clusters/vm-smallest.yaml", cwd=folder).returncode == 0


def test_a_command_within_a_command_has_settings(folder: Path, clusterprint: Run) -> None:
    (folder / "clusterprint.policy.yaml").write_text("policy: v1\nforbid: [public_ssh]\n")
    (folder / "pyproject.toml").write_text(f'{FIRST}format = {{"policy test" = "json"}}\n')
    found = clusterprint("policy", "test", cwd=folder)
    assert json.loads(found.stdout), found.stderr
    given = ("--name", "second", "--kind", "vm", "--project", "my-project", "--state-bucket", "my-bucket")
    made = clusterprint("init", "blueprint", *given, cwd=folder)
    assert made.returncode == 0, made.stderr
    assert (folder / "clusters/second.yaml").is_file()


def test_files_of_a_review_have_the_format_of_their_suffix(folder: Path, clusterprint: Run) -> None:
    (folder / "pyproject.toml").write_text(f'{FIRST}format = {{review = "json"}}\n')
    out = folder / "out.md"
    found = clusterprint("review", "--base", ".", "--out", out, cwd=folder)
    assert found.returncode == 0, found.stderr
    assert not out.read_text().startswith("{")


def test_completion_offers_the_blueprints_of_the_settings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    offered = ShellComplete(group, {}, "clusterprint", "").get_completions(["show"], "")
    assert [each.value for each in offered] == ["clusters/vm-smallest.yaml"]


def test_where_there_are_none_nothing_changes(folder: Path, clusterprint: Run) -> None:
    for text in ("", "[project]\nname = 'x'\n", "not TOML\n"):
        (folder / "pyproject.toml").write_text(text)
        assert "there is no folder blueprints/ here" in clusterprint("validate", cwd=folder).stderr
    # What is above the repository does not count, nor does a link.
    (folder / "pyproject.toml").write_text(FIRST)
    (folder / "own/.git").mkdir(parents=True)
    assert "there is no folder blueprints/ here" in clusterprint("validate", cwd=folder / "own").stderr
    (folder / "own/pyproject.toml").symlink_to(folder / "pyproject.toml")
    assert "there is no folder blueprints/ here" in clusterprint("validate", cwd=folder / "own").stderr


HERE, FORMAT = "[tool.clusterprint]\n", "[tool.clusterprint.format]\n"
WRONG = {
    f"{HERE}blueprint = 'clusters'": "2: [tool.clusterprint] has no key 'blueprint'; did you mean",
    f"{HERE}colour = 1": "2: [tool.clusterprint] has no key 'colour'; its keys are blueprints and format",
    f"{HERE}blueprints = ['clusters']": "2: blueprints is the path of a folder",
    f"{HERE}blueprints = 'missing'": "2: there is no folder 'missing' beside this file",
    f"{HERE}\nblueprints = '../..'": "3: '../..' leads out of the repository",
    f"{HERE}format = 'json'": "2: format is a table of commands",
    f"{FORMAT}validate = 'xml'": "2: validate has no format 'xml': it has text, json, sarif and github",
    f"{FORMAT}list = 'json'\nup = 'json'": "3: 'up' is no command with --format",
    f"{FORMAT}jobs = 'json'": "2: 'jobs' is no command with --format",
    f"{HERE}format.validate = 1": "2: validate has no format 1",
    "[tool]\nclusterprint = 'x'": "2: tool.clusterprint is a table, not 'x'",
    f"{HERE}blueprints = ": " not TOML: ",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_are_told_with_their_place(text: str, folder: Path, clusterprint: Run) -> None:
    (folder / "pyproject.toml").write_text(f"{text}\n")
    found = clusterprint("validate", cwd=folder)
    assert (found.returncode, f"pyproject.toml:{WRONG[text]}" in found.stderr) == (2, True), found.stderr
    for words in (["help", "validate"], ["validate", "--help"]):
        assert clusterprint(*words, cwd=folder).returncode == 0


def test_defaults_of_groups_are_none_of_options_of_the_same_name() -> None:
    assert Settings().defaults(["down", "init", "jobs", "policy"])["down"] == {}
