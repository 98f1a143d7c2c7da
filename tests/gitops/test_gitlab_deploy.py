"""From a merge to a running cluster and away again, as a pipeline of GitLab does it, in a simulated cloud."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forges import BOT, WRITER, Forge
from pull_request import Repository, git
from ruamel.yaml import YAML
from support import ROOT

from clusterprint.gitops.fill import Values, fill
from clusterprint_simcloud import Cloud

PIPELINE: dict[str, Any] = YAML(typ="safe", pure=True).load(
    next(
        each.text
        for each in fill(["gitlab"], Values("team/clusterprint@v1", "blueprints", "main"))
        if "deploy" in each.template.file
    )
)
JOBS = {name: job for name, job in PIPELINE.items() if not name.startswith(".")}
FIRST = "blueprints/first.yaml"
ACCOUNTS = {
    "GCP_SERVICE_ACCOUNT": "reads@example",
    "GCP_APPLY_SERVICE_ACCOUNT": "applies@example",
    "GCP_DESTROY_SERVICE_ACCOUNT": "destroys@example",
}


def whole(name: str) -> dict[str, Any]:
    """A job with what it extends, as GitLab puts them together: maps are joined, lists replaced."""
    job = PIPELINE[name]
    base = whole(job["extends"]) if "extends" in job else {}
    maps = {key: {**base[key], **job[key]} for key in base.keys() & job.keys() if isinstance(job[key], dict)}
    return {**base, **job, **maps}


class Runner:
    """A machine for each job, with what the jobs before it have kept."""

    def __init__(self, repository: Repository, tools: Path, folder: Path) -> None:
        self.repository = repository
        self._folder = folder
        self._kept = folder / "kept"
        self._source = self._ours(tools)

    def _ours(self, tools: Path) -> Path:
        """The repository of clusterprint as a job fetches it; what it installs works in a simulated cloud."""
        command, real = self._folder / "command", tools / "bin/clusterprint"
        command.write_text(
            f'#!/bin/sh\ncase "$1" in\n  up | down)\n'
            f'    verb="$1"\n    shift\n    exec {real} "$verb" --simulate {self._folder}/sim "$@" ;;\n'
            f'esac\nexec {real} "$@"\n'
        )
        command.chmod(0o755)
        made = Repository(self._folder / "clusterprint")
        install = (ROOT / "clusterprint/gitops/install.sh").as_posix()
        made.commit(
            {"clusterprint/gitops/install.sh": f'exec bash {install} {sys.executable} "$2" {command}\n'}
        )
        git(made.folder, "tag", "v1")
        return made.folder

    @property
    def made(self) -> set[str]:
        """Types of what somebody has made in the cloud."""
        records = Cloud(self._folder / "sim/cloud").read().records.values()
        return {one.type for one in records if not one.builtin and one.type != "google_storage_bucket"}

    def run(self, name: str, ref: str = "main", **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run a job: its script in one shell, on a checkout with the artifacts of the jobs that it needs."""
        job = whole(name)
        workspace = self.repository.checkout(self._folder / "workspace", ref, depth=99)
        if job["needs"]:
            shutil.copytree(self._kept, workspace, dirs_exist_ok=True)
        tokens = dict.fromkeys(job.get("id_tokens", {}), f"token-of-{name}")
        environment = {
            **ACCOUNTS,
            **tokens,
            "PATH": os.environ["PATH"],
            "HOME": str(self._folder),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{self._source.as_uri()}.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://github.com/team/clusterprint",
            **variables,
        }
        environment |= {
            key: ACCOUNTS.get(value.removeprefix("$"), "" if value.startswith("$") else value)
            for key, value in job["variables"].items()
        }
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", "\n".join([*job["before_script"], *job["script"]])],
            cwd=workspace,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        shutil.rmtree(self._kept, ignore_errors=True)
        self._kept.mkdir()
        for path in job.get("artifacts", {}).get("paths", []):
            if (workspace / path).is_dir():
                shutil.copytree(workspace / path, self._kept / path)
        return done

    def find(self, number: str = "7") -> "subprocess.CompletedProcess[str]":
        """Run the job that looks for what a merge request removes."""
        git(self.repository.folder, "update-ref", "refs/merge-requests/7/head", "change")
        return self.run("clusterprint-destroy-find", CLUSTERPRINT_DESTROY=number)


@pytest.fixture
def runner(repository: Repository, tools: Path, tmp_path: Path) -> Runner:
    """A runner of a project with one cluster on its main branch, that nobody has made yet."""
    return Runner(repository, tools, tmp_path)


@pytest.mark.slow
@pytest.mark.terraform
def test_a_merge_makes_a_cluster_and_a_merge_request_takes_it_away(runner: Runner) -> None:
    before = git(runner.repository.folder, "rev-parse", "main^")
    done = runner.run("clusterprint-apply-plan", CI_COMMIT_BEFORE_SHA=before)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " to add\n" in done.stdout
    assert runner.made == set()
    done = runner.run("clusterprint-apply")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "google_compute_instance_group_manager" in runner.made

    runner.repository.propose({FIRST: None, "blueprints/other.md": "nothing\n"})
    done = runner.find()
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f'["{FIRST}"]'), done.stderr
    done = runner.run("clusterprint-destroy-plan")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " to remove, " in done.stdout
    done = runner.run("clusterprint-destroy")
    assert done.returncode == 0, done.stdout + done.stderr
    assert runner.made <= {"google_project_service"}


@pytest.mark.slow
@pytest.mark.terraform
def test_the_plan_is_a_note_and_what_is_removed_has_to_go_before(runner: Runner, forge: Forge) -> None:
    second = (runner.repository.folder / FIRST).read_text().replace("name: first", "name: second")
    runner.repository.propose({FIRST: None, "blueprints/second.yaml": second})
    told = {
        "CI_API_V4_URL": f"{forge.url}/api/v4",
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(runner.repository.folder, "rev-parse", "main"),
        "CLUSTERPRINT_TOKEN": WRITER,
    }
    done = runner.run("clusterprint-plan", "change", **told)
    assert done.returncode == 0, done.stdout + done.stderr
    (note,) = forge.by(BOT)
    assert note.startswith("<!-- clusterprint:plan -->\n## What Terraform would do")
    assert "Cluster second: added" in note
    assert "not known to be gone" not in note, "nobody has made it"


@pytest.mark.parametrize("number", ["0", "-1", "7; id", "$(id)", "../main"])
def test_what_is_no_number_of_a_merge_request_is_refused(runner: Runner, number: str) -> None:
    done = runner.run("clusterprint-destroy-find", CLUSTERPRINT_DESTROY=number)
    assert (done.returncode, done.stderr) == (2, "error: this is not the number of a pull or merge request\n")


def test_a_merge_request_that_conflicts_destroys_nothing(runner: Runner) -> None:
    runner.repository.propose({FIRST: None})
    git(runner.repository.folder, "checkout", "--quiet", "main")
    text = (runner.repository.folder / FIRST).read_text()
    runner.repository.commit({FIRST: f"# another\n{text}"})
    done = runner.find()
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be merged as it is" in done.stderr


@pytest.mark.parametrize(
    ("code", "ends", "open_issues"),
    [(0, 0, 0), (4, 0, 1), (3, 3, 0)],
    ids=["as it should be", "not as it should be", "not known"],
)
def test_each_night_one_issue_says_what_is_not_as_it_should_be(
    forge: Forge, tmp_path: Path, code: int, ends: int, open_issues: int
) -> None:
    command, python = tmp_path / "clusterprint", tmp_path / "bin/python"
    command.write_text(f'#!/bin/sh\necho "asked: $*"\nexit {code}\n')
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for each in (command, python):
        each.chmod(0o755)
    told = {
        "BLUEPRINTS": "blueprints",
        "CI_API_V4_URL": f"{forge.url}/api/v4",
        "CI_PROJECT_ID": "42",
        "CLUSTERPRINT": str(command),
        "CLUSTERPRINT_TOKEN": WRITER,
        "tools": str(tmp_path),
    }
    script = "\n".join(PIPELINE["clusterprint-drift"]["script"])
    for _ in range(2):
        done = subprocess.run(["bash", "-e", "-c", script], env={**os.environ, **told}, check=False)
        assert done.returncode == ends
    assert len(forge.issues) == open_issues
    for one in forge.issues:
        assert "asked: status --no-nodes --detailed-exitcode -- blueprints" in one["description"]


# ---- who may do what


WRITERS = {"clusterprint-apply", "clusterprint-destroy"}


def test_who_may_write_runs_on_the_protected_branch_by_hand_in_its_environment() -> None:
    writing = {
        name
        for name in JOBS
        if whole(name)["variables"].get("ACCOUNT", "") not in ("", "$GCP_SERVICE_ACCOUNT")
    }
    assert writing == WRITERS
    for name in writing:
        job = whole(name)
        for rule in job["rules"]:
            assert rule["when"] == "manual"
            assert '$CI_COMMIT_BRANCH == "main" && $CI_COMMIT_REF_PROTECTED == "true"' in rule["if"]
            assert "merge_request" not in rule["if"]
        assert job["environment"] == name
        assert job["resource_group"] == "clusterprint"
        verb = name.removeprefix("clusterprint-").upper()
        assert job["variables"]["ACCOUNT"] == f"$GCP_{verb}_SERVICE_ACCOUNT"
        assert job["variables"]["ARM_CLIENT_ID"] == f"$AZURE_{verb}_CLIENT_ID"


def test_what_a_merge_request_brings_reaches_no_job_that_may_write() -> None:
    fetching = [name for name, job in JOBS.items() if "refs/merge-requests/" in str(job)]
    assert fetching == ["clusterprint-destroy-find"]
    assert "id_tokens" not in whole(fetching[0]), "and that has no identity"
    on_requests = [name for name, job in JOBS.items() if "merge_request_event" in str(job["rules"])]
    assert on_requests == ["clusterprint-plan"]


def test_every_job_with_an_identity_has_an_environment() -> None:
    """By which the account knows it."""
    for name in JOBS:
        job = whole(name)
        assert ("id_tokens" in job) == ("environment" in job), name


def test_credentials_name_the_account_and_hold_no_secret(tmp_path: Path) -> None:
    (script,) = [each for each in PIPELINE[".clusterprint"]["before_script"] if "credentials" in each]
    told = {
        "tools": str(tmp_path),
        "GCP_TOKEN": "t0",
        "ACCOUNT": "a@b",
        "GCP_WORKLOAD_IDENTITY_PROVIDER": "p/1",
    }
    subprocess.run(["bash", "-e", "-c", script], env={**os.environ, **told}, check=True)
    file = tmp_path / "credentials.json"
    text = file.read_text()
    assert '"audience": "//iam.googleapis.com/p/1"' in text
    assert "serviceAccounts/a@b:generateAccessToken" in text
    assert "t0" not in text.replace(str(tmp_path), "")
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0
