"""Files of `clusterprint init gitops`, run as the tools run them: real Terraform, a simulated cloud."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forges import BOT, READER, WRITER, Forge
from gitops.conftest import VM
from pull_request import Repository, git
from ruamel.yaml import YAML
from support import ROOT

from clusterprint.gitops.fill import TEMPLATES, Values, fill
from clusterprint_simcloud import World

pytestmark = [pytest.mark.slow, pytest.mark.long]

FILLED = {
    each.template.file: each.text
    for each in fill(TEMPLATES, Values("team/clusterprint@v1", "blueprints", "main"))
}
LARGER = VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2")


def read(file: str) -> Any:
    return YAML(typ="safe", pure=True).load(FILLED[file])


@pytest.fixture
def programs(tools: Path, tmp_path: Path) -> str:
    """A PATH with clusterprint and a Python, and nothing else that the tests' own environment has."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "clusterprint").symlink_to(tools / "bin/clusterprint")
    (folder / "python3").symlink_to(sys.executable)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


# ---- GitLab


def gitlab(
    repository: Repository, forge: Forge, programs: str, folder: Path, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run the script of the job on the head of the branch, in one shell, as a GitLab runner does."""
    job = read("gitlab/clusterprint.gitlab-ci.yml")["clusterprint"]
    workspace = repository.checkout(folder / "workspace", "refs/heads/change", depth=99)
    ours = _our_repository(folder / "clusterprint", programs)
    environment = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{ours.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/team/clusterprint",
        "PATH": programs,
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "CI_API_V4_URL": f"{forge.url}/api/v4",
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(repository.folder, "merge-base", "main", "change"),
        "CI_PROJECT_DIR": str(workspace),
        **{name: value for name, value in job["variables"].items() if "$" not in value},
        **variables,
    }
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(job["script"])],
        cwd=workspace,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def _our_repository(folder: Path, programs: str) -> Path:
    """The repository of clusterprint as a job fetches it; installing takes what is installed here already."""
    if not folder.exists():
        made = Repository(folder)
        command = Path(programs.partition(os.pathsep)[0], "clusterprint").resolve()
        install = (ROOT / "clusterprint/gitops/install.sh").as_posix()
        made.commit({"clusterprint/gitops/install.sh": f'exec bash {install} "$1" "$2" {command}\n'})
        git(folder, "tag", "v1")
    return folder


def test_gitlab_has_one_note_and_a_page(
    repository: Repository, forge: Forge, programs: str, tmp_path: Path
) -> None:
    repository.propose({"blueprints/first.yaml": LARGER})
    done = gitlab(repository, forge, programs, tmp_path, CLUSTERPRINT_TOKEN=WRITER)
    assert done.returncode == 0, done.stdout + done.stderr
    repository.propose({"blueprints/first.yaml": LARGER.replace("count: 2", "count: 3")})
    done = gitlab(repository, forge, programs, tmp_path, CLUSTERPRINT_TOKEN=WRITER)
    assert done.returncode == 0, done.stdout + done.stderr
    (note,) = forge.by(BOT)
    assert "first-2" in note
    kept = read("gitlab/clusterprint.gitlab-ci.yml")["clusterprint"]["artifacts"]["paths"]
    for name in kept:
        assert (tmp_path / "workspace" / name).stat().st_size > 1000


@pytest.mark.parametrize("token", ["", READER])
def test_gitlab_without_a_token_that_may_comment_has_the_artifact(
    token: str, repository: Repository, forge: Forge, programs: str, tmp_path: Path
) -> None:
    repository.propose({"blueprints/first.yaml": LARGER})
    done = gitlab(repository, forge, programs, tmp_path, CLUSTERPRINT_TOKEN=token)
    assert done.returncode == 0, done.stdout + done.stderr
    assert forge.comments == []
    assert "first-1" in done.stdout


def test_gitlab_fails_with_the_blueprint(
    repository: Repository, forge: Forge, programs: str, tmp_path: Path
) -> None:
    repository.propose({"blueprints/first.yaml": VM.replace("us-central1-a", "us-east4-b")})
    done = gitlab(repository, forge, programs, tmp_path, CLUSTERPRINT_TOKEN=WRITER)
    assert done.returncode == 1
    assert "GCP001" in forge.by(BOT)[0]


def test_gitlab_says_why_there_is_no_report(
    repository: Repository, forge: Forge, programs: str, tmp_path: Path
) -> None:
    """And shows none that the merge request has brought."""
    repository.propose({"blueprints/first.yaml": LARGER, "clusterprint-review.md": "All is well.\n"})
    lost = {"CLUSTERPRINT_TOKEN": WRITER, "CI_MERGE_REQUEST_DIFF_BASE_SHA": ""}
    done = gitlab(repository, forge, programs, tmp_path, **lost)
    assert done.returncode == 2, done.stdout + done.stderr
    (note,) = forge.by(BOT)
    assert "could not be reviewed" in note
    assert "--base" in note
    assert "All is well" not in note + done.stdout


# ---- Atlantis


#: Terraform of a pull request's own, as far as Atlantis could be made to plan it.
BROUGHT = (
    *(
        "atlantis.out/stacks/first/brought.tf",
        "main.tf",
        "a/b/c.tf.json",
        "a/.terraform/modules/x",
        "a/x.tofu",
    ),
    *(
        "a/.terraform.lock.hcl",
        "blueprints/more/terraform.tfvars",
        "a/x.auto.tfvars.json",
        "a/.terraform-version",
    ),
)


@pytest.mark.terraform
def test_atlantis_plans_what_its_hook_has_made(repository: Repository, programs: str, tmp_path: Path) -> None:
    config = read("atlantis/repos.yaml")
    workspace = repository.checkout(tmp_path / "workspace", "main", depth=1)
    brought = [workspace / name for name in BROUGHT]
    for each in brought:
        each.parent.mkdir(parents=True, exist_ok=True)
        each.write_text('output "brought" { value = "by the pull request" }\n')
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "main.tf").write_text("")
    brought += [workspace / "folder", workspace / "linked.tf", workspace / "a/link"]
    brought[-3].symlink_to(elsewhere)
    brought[-2].symlink_to("README.md")
    brought[-1].symlink_to("../atlantis.out/stacks/first")
    (workspace / "kept.yaml").symlink_to("README.md")
    # A link in place of the folder is replaced, not followed.
    shutil.rmtree(workspace / "atlantis.out")
    (workspace / "atlantis.out").symlink_to(elsewhere)
    with World("my-terraform-state") as world:
        environment = {
            "PATH": programs,
            "PLANFILE": str(tmp_path / "plan"),
            "SHOWFILE": str(tmp_path / "plan.json"),
            "WORKSPACE": "default",
        }
        hook = config["repos"][0]["pre_workflow_hooks"][0]["run"]
        world.run("sh", "-c", hook, folder=workspace, environment=environment)
        stack = workspace / "atlantis.out/stacks/first"
        assert (stack / "cdk.tf.json").exists()
        assert [each for each in brought if os.path.lexists(each)] == []
        assert (elsewhere / "main.tf").exists()
        assert (workspace / "kept.yaml").read_text() == (workspace / "README.md").read_text()
        shown = []
        for step in config["workflows"]["clusterprint"]["plan"]["steps"]:
            run = step["run"] if isinstance(step, dict) else f"terraform {step}"
            text, hidden = (
                (run["command"], run["output"] == "hide") if isinstance(run, dict) else (run, False)
            )
            done = world.run("sh", "-c", text, folder=stack, environment=environment)
            shown += [] if hidden else [done.stdout]
    assert "to add" in shown[-1]
    flow = config["workflows"]["clusterprint"]
    check = flow["plan"]["steps"][0]["run"]
    # A comment may name any folder, and a workspace: that is another checkout, in which no hook has run.
    for folder, name, code in ((stack, "default", 0), (workspace / "a", "default", 1), (stack, "other", 1)):
        refused = subprocess.run(["sh", "-c", check], cwd=folder, env={"WORKSPACE": name}, check=False)
        assert refused.returncode == code, (folder, name)
    for name in ("import", "state_rm"):
        (step,) = flow[name]["steps"]
        assert subprocess.run(["sh", "-c", step["run"]], check=False).returncode == 1, name
    repo = config["repos"][0]
    assert repo["allowed_overrides"] == []
    assert repo["allow_custom_workflows"] is False
    # Else atlantis.yaml of the pull request names projects: https://www.runatlantis.io/docs/server-side-repo-config
    assert Path(repo["repo_config_file"]).parts[0] == "atlantis.out"
    assert not (workspace / repo["repo_config_file"]).exists()
    assert "dismiss stale approvals" in FILLED["atlantis/repos.yaml"]
    assert config["repos"][0]["pre_workflow_hooks"][0]["commands"] == "plan", (
        "before an apply it would take away the plan that is to be applied"
    )
    ours = (ROOT / ".gitignore").read_text("utf-8").split()
    assert "atlantis.out/" not in ours
    assert "cdktf.out/" in ours, (
        "which is why the hook writes elsewhere: Atlantis looks at what git does not ignore"
    )


# ---- pre-commit


def test_the_hook_runs_what_it_says(repository: Repository, programs: str, tmp_path: Path) -> None:
    hooks = YAML(typ="safe", pure=True).load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (hook,) = [each for each in hooks if each["id"] == "clusterprint-validate"]
    workspace = repository.checkout(tmp_path / "workspace", "main", depth=1)
    command = [*hook["entry"].split(), *hook["args"]]
    for text, code in ((VM, 0), (VM.replace("us-central1-a", "us-east4-b"), 1)):
        (workspace / "blueprints/first.yaml").write_text(text)
        done = subprocess.run(
            command, cwd=workspace, env={"PATH": programs}, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
