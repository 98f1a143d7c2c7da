"""Nothing of a pull request commands the action, or becomes a part of what runs."""

import os
import subprocess
from pathlib import Path

import hostile_git
import pytest
from composite import Runner
from forges import BOT, Forge
from gitops.actions import SECOND, Review, actions
from gitops.conftest import VM
from pull_request import Repository, git
from support import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_texts_of_a_pull_request_command_neither_shell_nor_runner(
    repository: Repository, review: Review, tmp_path: Path
) -> None:
    hostile = VM + 'labels: {team: "$(touch hit)"}\nmetadata: {note: "\\n::error::gotcha\\n::add-mask::x"}\n'
    repository.propose(
        {"blueprints/first.yaml": hostile, "blueprints/$(touch hit).yaml": "::error::gotcha\n"}
    )
    ran = review()
    assert not list(tmp_path.rglob("hit"))
    assert not [each for each in ran.annotations if each[2].startswith("gotcha") or each[0] == "add-mask"]


#: Settings of a job that make Python and pip look into the current folder: careless, and common.
CARELESS = {
    "PYTHONPATH": ".:src",
    "PYTHONSTARTUP": "sitecustomize.py",
    "PIP_CONFIG_FILE": "pip.conf",
    "PIP_TARGET": ".",
}


def traps(hit: Path) -> dict[str, str | None]:
    """Files by which Python, pip and uv would run something of the folder that they are called in."""
    python = f"open({str(hit)!r}, 'a').write(__file__ + '\\n')\n"
    modules = (
        *(
            "venv/__init__",
            "venv/__main__",
            "pip/__init__",
            "pip/__main__",
            "ensurepip/__init__",
            "sitecustomize",
        ),
        *("usercustomize", "click", "json", "msgspec", "hatchling/__init__", "setup", "conftest"),
        *("clusterprint/__init__", "clusterprint/__main__", "clusterprint/gitops/__init__"),
        *("clusterprint/gitops/comment", "clusterprint/gitops/base", "stacks/__init__", "src/click"),
    )
    return {
        **{f"{name}.py": python for name in modules},
        "evil.pth": f"import sys; open({str(hit)!r}, 'a').write('pth')\n",
        "pip.conf": "[global]\nindex-url = https://127.0.0.1:9/evil\nno-index = true\n",
        "setup.cfg": "[install]\nprefix = .\n",
        "uv.toml": 'index-url = "https://127.0.0.1:9/evil"\n',
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n',
        "requirements.txt": "evil\n",
        "clusterprint/gitops/requirements.txt": "evil\n",
    }


def test_with_a_command_that_is_there(repository: Repository, review: Review, tmp_path: Path) -> None:
    repository.propose({"blueprints/second.yaml": SECOND, **traps(tmp_path / "hit")})
    ran = review(environment=CARELESS)
    assert ran.code == 0, ran.printed
    assert not (tmp_path / "hit").exists(), (tmp_path / "hit").read_text()


def test_the_setup_action_makes_commands_that_ignore_the_folder_they_run_in(
    command: Path, tmp_path: Path
) -> None:
    hit, checkout = tmp_path / "hit", tmp_path / "checkout"
    for name, text in traps(hit).items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(str(text))
    ran = Runner(checkout, tmp_path, {}, CARELESS).action(
        ROOT / "setup/action.yml", {"command": str(command)}
    )
    assert ran.code == 0, ran.printed
    for words, said in (
        ([ran.outputs["command"], "--version"], "clusterprint"),
        ([ran.outputs["python"], "-m", "clusterprint.gitops.comment", "--help"], "one comment"),
    ):
        done = subprocess.run(
            words, cwd=checkout, env={**os.environ, **CARELESS}, capture_output=True, text=True, check=False
        )
        assert (done.returncode, said in done.stdout) == (0, True), done.stderr
    assert not hit.exists(), hit.read_text()


@pytest.mark.parametrize("place", ["blueprints", "."])
def test_a_bare_repository_in_the_pull_request(
    place: str, repository: Repository, review: Review, tmp_path: Path
) -> None:
    hit, program = hostile_git.trap(tmp_path)
    repository.propose({"blueprints/second.yaml": SECOND})
    git(repository.folder, "checkout", "--quiet", "change")
    hostile_git.bare_inside(repository.folder / place, program, repository.folder / ".git/objects")
    repository.propose({"blueprints/.gitattributes": "* filter=x\n"})
    ran = review()
    assert not hit.exists(), hit.read_text()
    assert ran.code == 0, ran.printed
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}


@pytest.mark.xdist_group("package")
def test_it_installs_itself(repository: Repository, review: Review, forge: Forge, tmp_path: Path) -> None:
    """As it is used: nothing but Python, pip and git, and a pull request that wants to take part."""
    repository.propose({"blueprints/second.yaml": SECOND, **traps(tmp_path / "hit")})
    ran = review(command="", environment=CARELESS)
    assert not (tmp_path / "hit").exists(), (tmp_path / "hit").read_text()
    assert ran.code == 0, ran.printed
    assert len(forge.by(BOT)) == 1
