"""A real git repository with blueprints, for reviews to compare."""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from support import BLUEPRINTS, Run

from clusterprint.review.assemble import assemble
from clusterprint.review.model import Report
from clusterprint.review.terraform_plan import gather_plans

SMALLEST = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")

#: Two nodes, a bucket of their own and a script: something for every sort of change.
TEAM = """\
clusterprint: v1
kind: vm
name: team
project: my-gpu-project
region: us-central1
zone: us-central1-a
labels: {team: ml}
backend: {gcs: {bucket: my-terraform-state}}
nodes:
  machine_type: a2-highgpu-8g
  count: 2
network:
  cidr: 10.64.0.0/16
storage:
  volumes:
    - {name: checkpoints, kind: bucket, bucket: team-checkpoints}
startup_script:
  file: ./setup.sh
"""

#: What it stores, to be removed.
STORED = TEAM[TEAM.index("storage:") : TEAM.index("startup_script:")]

SCRIPT = """\
#!/bin/bash
echo one
echo two
echo three
"""


class Repository:
    """A git repository in a folder of its own, and reviews of what is in it."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder = folder
        self._run = run
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """The output of git."""
        done = subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
            cwd=self.folder, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    def write(self, name: str, text: str) -> None:
        """Write a file beside the blueprints."""
        file = self.folder / "blueprints" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a text that is there."""
        text = (self.folder / "blueprints" / name).read_text("utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def commit(self, branch: str = "") -> None:
        """Commit everything, on a new branch if one is named."""
        if branch:
            self.git("checkout", "--quiet", "-b", branch)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", branch or "begin")

    def run(self, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        """Run the command in the repository."""
        return self._run("review", *arguments, cwd=self.folder)

    def run_in(self, folder: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        """Run the command in a folder of the repository."""
        return self._run("review", *arguments, cwd=self.folder / folder)

    def review(self, *arguments: str | Path) -> dict[str, Any]:
        """The report against main, as data; the exit code is in its verdict."""
        done = self.run("--base", "main", "--format", "json", *arguments)
        assert done.stderr == ""
        report: dict[str, Any] = json.loads(done.stdout)
        assert report["verdict"]["exit_code"] == done.returncode
        return report


@pytest.fixture
def empty(tmp_path: Path, clusterprint: Run) -> Repository:
    """A repository without blueprints."""
    repository = Repository(tmp_path, clusterprint)
    (tmp_path / "README.md").write_text("nothing yet\n")
    repository.commit()
    return repository


@pytest.fixture
def repository(tmp_path: Path, clusterprint: Run) -> Repository:
    """A repository with two clusters on main, on a branch of its own."""
    made = Repository(tmp_path, clusterprint)
    made.write("first.yaml", SMALLEST)
    made.write("team.yaml", TEAM)
    made.write("setup.sh", SCRIPT)
    made.commit()
    made.git("checkout", "--quiet", "-b", "change")
    return made


Changes = Callable[[dict[str, Any], str], dict[str, dict[str, Any]]]


@pytest.fixture(scope="session")
def changes() -> Changes:
    """The changes of a cluster by address, for the words `action`, `forced_by`, `place`."""

    def find(report: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
        cluster = next(each for each in report["clusters"] if each["name"] == name)
        return {
            address: change
            for group in cluster["groups"]
            for change in group["changes"]
            for address in change["instances"]
        }

    return find


def actions(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The action for each of the `changes`."""
    return {address: each["action"] for address, each in found.items()}


def risks(report: dict[str, Any]) -> dict[str, str]:
    """The risks of a report, each with its severity."""
    return {each["name"]: each["severity"] for each in report["risks"]}


Change = tuple[str, dict[str, Any] | None, dict[str, Any] | None]


@pytest.fixture
def found(tmp_path: Path) -> Any:
    """The risks of changes, given as address, before and after: name and severity."""

    def review(*changes: Change) -> dict[str, str]:
        return {each.name: each.severity for each in _report(tmp_path, changes).risks}

    return review


@pytest.fixture
def reported(tmp_path: Path) -> Callable[..., Report]:
    """The whole report of such changes."""
    return lambda *changes: _report(tmp_path, changes)


def _report(folder: Path, changes: Sequence[Change]) -> Report:
    file = folder / "stack.json"
    entries = [entry(*each) for each in changes]
    file.write_text(json.dumps({"format_version": "1.2", "resource_changes": entries}))
    return assemble(gather_plans([file]))


def entry(address: str, before: dict[str, Any] | None, after: dict[str, Any] | None) -> dict[str, Any]:
    """A change as a plan has it; `_replaced` among the new values makes it a replacement."""
    actions = ["create"] if before is None else ["delete"] if after is None else ["update"]
    if before == after:
        actions = ["no-op"]
    if after is not None and "_replaced" in after:
        actions = ["delete", "create"]
        after = {key: each for key, each in after.items() if key != "_replaced"}
    change = {"actions": actions, "before": before, "after": after}
    return {"address": address, "type": address.split(".", maxsplit=1)[0], "change": change}


#: Keeps the cluster as a whole from being an added or a removed one.
STAYS: Change = ("null_resource.stays", {}, {})


@pytest.fixture
def advice(tmp_path: Path) -> Any:
    """The advice of the risks of changes."""

    def review(*changes: Change) -> list[str]:
        return [each.help for each in _report(tmp_path, changes).risks]

    return review
