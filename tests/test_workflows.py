"""Workflows, ours and those that users get: safe, and such that GitHub and GitLab would take them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from clusterprint.gitops.fill import TEMPLATES, Values, fill

COMMANDS = Path(sys.executable).parent
ACTIONLINT = ROOT / ".cache/clis/actionlint/actionlint"
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yaml"))
ACTIONS = [ROOT / "action.yml", ROOT / "setup/action.yml"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with everything that `clusterprint init gitops` writes."""
    folder = tmp_path_factory.mktemp("written")
    for each in fill(TEMPLATES, Values(f"team/clusterprint@{'0' * 40}", "blueprints", "main")):
        file = folder / each.template.target
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(each.text, "utf-8")
    return folder


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_actions_are_named_by_commit(file: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", file.read_text("utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


def test_one_action_has_one_commit() -> None:
    """Also in the action and the templates that users get."""
    texts = [file.read_text("utf-8") for file in (*WORKFLOWS, *ACTIONS, *ROOT.glob("docs/gitops/**/*.yaml"))]
    commits: dict[str, set[str]] = {}
    for action, commit in re.findall(r"uses: ([\w./-]+)@([0-9a-f]{40})", "\n".join(texts)):
        commits.setdefault(action, set()).add(commit)
    assert commits
    assert {action: found for action, found in commits.items() if len(found) > 1} == {}


def run(*words: str | Path, folder: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    # Programs that they start, such as shellcheck, lie beside them.
    environment = {**os.environ, "PATH": f"{COMMANDS}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        list(map(str, words)), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_zizmor_finds_nothing(written: Path) -> None:
    done = run(
        COMMANDS / "zizmor", "--offline", "--no-progress", "--quiet", ROOT / ".github", *ACTIONS, written
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.process
def test_zizmor_would_find_something(tmp_path: Path) -> None:
    file = tmp_path / ".github/workflows/a.yaml"
    file.parent.mkdir(parents=True)
    step = "run: echo ${{ github.event.pull_request.title }}"
    file.write_text(
        f"on: pull_request_target\njobs: {{a: {{runs-on: ubuntu-latest, steps: [{{{step}}}]}}}}\n"
    )
    assert run(COMMANDS / "zizmor", "--offline", "--quiet", tmp_path).returncode != 0


@pytest.fixture
def actionlint() -> Path:
    """The program; without it the test does not run, and fails in CI."""
    if not ACTIONLINT.exists():
        message = "needs actionlint: run `python tools/install_clis.py` (Go)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return ACTIONLINT


@pytest.mark.slow
def test_actionlint_finds_nothing(actionlint: Path, written: Path) -> None:
    """With shellcheck for every script: it is a dependency of the tests."""
    done = run(
        actionlint,
        "-shellcheck",
        COMMANDS / "shellcheck",
        *WORKFLOWS,
        *(written / ".github/workflows").iterdir(),
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.slow
def test_actionlint_would_find_something(actionlint: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    job = "{needs: b, runs-on: ubuntu-latest, steps: [{run: 'cat $1'}]}"
    file.write_text(f"on: push\njobs: {{a: {job}}}\n")
    said = run(actionlint, "-shellcheck", COMMANDS / "shellcheck", file).stdout
    assert 'job "a" needs job "b"' in said
    assert "SC2086" in said, "scripts are looked at"


@pytest.mark.slow
@pytest.mark.parametrize("sort", ["github-workflows", "github-actions", "gitlab-ci"])
def test_the_forges_take_them(sort: str, written: Path) -> None:
    files = {
        "github-workflows": [*WORKFLOWS, *(written / ".github/workflows").iterdir()],
        "github-actions": ACTIONS,
        "gitlab-ci": list((written / ".gitlab").iterdir()),
    }[sort]
    done = run(COMMANDS / "check-jsonschema", "--builtin-schema", f"vendor.{sort}", *files)
    assert done.returncode == 0, done.stdout
