"""`clusterprint init gitops`: the files, what is filled in, and what is left alone."""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from support import ROOT, Run

from clusterprint.gitops.fill import TEMPLATES, Values, fill

SOURCE = "example/clusterprint@v1.2.3"
VALUES = Values(SOURCE, "clusters/gpu", "release/1.x")
FILLED = fill(TEMPLATES, VALUES)
ACTION, SETUP = ROOT / "action.yml", ROOT / "setup/action.yml"


def read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def steps(text: str) -> list[dict[str, Any]]:
    data = read(text)
    jobs = data["jobs"].values() if "jobs" in data else [data["runs"]] if "runs" in data else []
    return [step for job in jobs for step in job["steps"]]


GITHUB = {
    **{each.template.target: each.text for each in FILLED if each.template.target.startswith(".github/")},
    **{each.relative_to(ROOT).as_posix(): each.read_text("utf-8") for each in (ACTION, SETUP)},
}


@pytest.mark.parametrize("filled", FILLED, ids=lambda each: each.template.file)
def test_every_template_is_yaml_and_completely_filled(filled: Any) -> None:
    assert read(filled.text)
    assert not re.search(r"__[A-Z]+__", filled.text)
    assert "clusters/gpu" in filled.text or "clusterprint-prove" in filled.template.file
    assert filled.template.next


def test_there_is_no_template_that_is_never_written() -> None:
    folder = ROOT / "clusterprint/gitops/templates"
    there = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert there == {template.file for templates in TEMPLATES.values() for template in templates}


def test_the_guide_lists_every_file_that_is_written_and_every_input_and_output_of_the_action() -> None:
    guide = (ROOT / "docs/gitops.md").read_text("utf-8")
    action = read(ACTION.read_text("utf-8"))
    for template in (each for templates in TEMPLATES.values() for each in templates):
        assert f"`{template.target}`" in guide
        assert f"](gitops/{template.file})" in guide
    for name in (*action["inputs"], *action["outputs"]):
        assert f"`{name}`" in guide


@pytest.mark.parametrize("name", GITHUB)
def test_actions_of_others_are_pinned_to_a_commit_and_say_its_version(name: str) -> None:
    text = GITHUB[name]
    used = [step["uses"] for step in steps(text) if "uses" in step]
    assert used
    for each in used:
        if each.startswith("example/"):
            assert each in {SOURCE, SOURCE.replace("@", "/setup@")}
            continue
        assert re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}", each)
        assert re.search(rf"{each} # v\d+\.\d+\.\d+$", text, re.MULTILINE), each


@pytest.mark.parametrize("name", GITHUB)
def test_no_value_is_pasted_into_a_script(name: str) -> None:
    for step in steps(GITHUB[name]):
        assert "${{" not in step.get("run", ""), step


WORKFLOWS = {Path(name).stem: read(text) for name, text in GITHUB.items() if name.startswith(".github/")}
JOBS = {
    f"{stem.removeprefix('clusterprint').strip('-') or 'review'}: {name}": job
    for stem, workflow in WORKFLOWS.items()
    for name, job in workflow["jobs"].items()
}
GRANTED = {
    "review: review": {"contents": "read", "pull-requests": "write", "security-events": "write"},
    "plan: find": {"contents": "read"},
    "plan: plan": {"contents": "read", "pull-requests": "write", "id-token": "write"},
    "drift: drift": {"contents": "read", "issues": "write", "id-token": "write"},
    "apply: plan": {"contents": "read", "id-token": "write"},
    "apply: apply": {"contents": "read", "id-token": "write"},
    "apply: removed": {},
    "destroy: find": {"contents": "read"},
    "destroy: plan": {"contents": "read", "id-token": "write"},
    "destroy: destroy": {"contents": "read", "id-token": "write"},
    # Its branch is new, and people merge it.
    "prove: prove": {"contents": "write", "pull-requests": "write", "id-token": "write"},
}


@pytest.mark.parametrize("name", JOBS)
def test_jobs_have_the_least_permissions(name: str) -> None:
    job = JOBS[name]
    assert job["permissions"] == GRANTED[name]
    assert job["timeout-minutes"]
    for step in job["steps"]:
        if "actions/checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
            assert "ref" not in step["with"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_have_none_and_lend_no_stranger_a_token(name: str) -> None:
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {}
    assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(workflow["on"])
    assert "secrets." not in GITHUB[f".github/workflows/{name}.yaml"]


ACCOUNTS = {
    name: step["with"]["service_account"].strip("${} ")
    for name, job in JOBS.items()
    for step in job["steps"]
    if "google-github-actions/auth" in step.get("uses", "")
}


def test_who_may_write_runs_on_the_protected_branch_where_somebody_has_approved() -> None:
    reading = {name for name, account in ACCOUNTS.items() if account == "vars.GCP_SERVICE_ACCOUNT"}
    assert reading == {"plan: plan", "drift: drift", "apply: plan", "destroy: plan"}
    assert {name: ACCOUNTS[name] for name in ACCOUNTS.keys() - reading} == {
        "apply: apply": "vars.GCP_APPLY_SERVICE_ACCOUNT",
        "destroy: destroy": "vars.GCP_DESTROY_SERVICE_ACCOUNT",
        "prove: prove": "vars.GCP_PROOF_SERVICE_ACCOUNT",
    }
    prove = WORKFLOWS["clusterprint-prove"]
    assert set(prove["on"]) == {"schedule", "workflow_dispatch"}
    assert "github.ref == 'refs/heads/release/1.x'" in prove["jobs"]["prove"]["if"]
    assert prove["jobs"]["prove"]["environment"] == "clusterprint-prove"
    for verb in ("apply", "destroy"):
        workflow = WORKFLOWS[f"clusterprint-{verb}"]
        assert set(workflow["on"]) <= {"push", "workflow_dispatch"}
        first, *others = workflow["jobs"].values()
        assert "github.ref == 'refs/heads/release/1.x'" in first["if"]
        assert all(job["needs"] for job in others), "none runs where the first does not"
        job = workflow["jobs"][verb]
        assert job["environment"] == f"clusterprint-{verb}"
        assert job["concurrency"] == {
            "group": "clusterprint-${{ matrix.blueprint }}",
            "cancel-in-progress": False,
        }


def test_what_a_pull_request_brings_reaches_no_job_that_may_write() -> None:
    """Only where there is no identity of a cloud is it fetched, and nothing of it is checked out."""
    fetching = [name for name, job in JOBS.items() if "refs/pull/" in str(job)]
    assert fetching == ["destroy: find"]
    assert not ACCOUNTS.keys() & set(fetching)
    (step,) = [each for each in JOBS["destroy: find"]["steps"] if each.get("name") == "Find"]
    assert "git checkout" not in step["run"]
    assert "worktree" not in step["run"]


def test_only_the_plan_has_credentials_and_it_never_runs_for_forks() -> None:
    review, plan = (
        GITHUB[".github/workflows/clusterprint.yaml"],
        GITHUB[".github/workflows/clusterprint-plan.yaml"],
    )
    assert "auth@" not in review
    assert "id-token" not in review
    find, job = read(plan)["jobs"].values()
    assert "github.event.pull_request.head.repo.full_name == github.repository" in find["if"]
    assert (job["needs"], job["environment"]) == ("find", "clusterprint-plan")


@pytest.mark.parametrize("name", sorted(ACCOUNTS.keys() - {"prove: prove"}))  # its trials are Google's
def test_azure_is_logged_in_to_without_a_secret_as_google_cloud_is(name: str) -> None:
    logged = [step["env"] for step in JOBS[name]["steps"] if "ARM_CLIENT_ID" in step.get("env", {})]
    assert logged
    for environment in logged:
        assert environment["ARM_USE_OIDC"] == "true"
        assert environment["ARM_TENANT_ID"] == "${{ vars.AZURE_TENANT_ID }}"
        account = ACCOUNTS[name].replace("GCP", "AZURE").replace("SERVICE_ACCOUNT", "CLIENT_ID")
        assert environment["ARM_CLIENT_ID"] == f"${{{{ {account} }}}}"


def test_it_writes_what_was_asked_for_and_says_what_comes_next(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint(
        "init", "gitops", tmp_path, "--source", SOURCE, "--for", "gitlab", "--for", "pre-commit"
    )
    assert (done.returncode, done.stderr) == (0, "")
    written = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert written == [
        ".gitlab/clusterprint-deploy.gitlab-ci.yml",
        ".gitlab/clusterprint.gitlab-ci.yml",
        ".pre-commit-config.yaml",
    ]
    assert f"wrote {tmp_path}/.pre-commit-config.yaml\n" in done.stdout
    assert "next, .pre-commit-config.yaml: pip install pre-commit" in done.stdout
    (hook,) = read((tmp_path / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    # Only what checks: not the repository's root, which is the engine too.
    source = "clusterprint-core @ git+https://github.com/example/clusterprint@v1.2.3#subdirectory=core"
    assert hook.pop("additional_dependencies") == [source]
    published = {each["id"]: each for each in read((ROOT / ".pre-commit-hooks.yaml").read_text())}
    known = published[hook["id"]]
    known.pop("description")
    assert hook == known


def test_values_are_filled_in(clusterprint: Run, tmp_path: Path) -> None:
    options = ("--source", SOURCE, "--blueprints", "clusters/gpu", "--branch", "release/1.x")
    assert clusterprint("init", "gitops", tmp_path, *options).returncode == 0
    workflow = read((tmp_path / ".github/workflows/clusterprint.yaml").read_text())
    assert workflow["on"]["push"]["branches"] == ["release/1.x"]
    used = workflow["jobs"]["review"]["steps"][-1]
    assert used == {"uses": SOURCE, "with": {"blueprints": "clusters/gpu"}}


def test_nothing_is_overwritten_unless_forced(clusterprint: Run, tmp_path: Path) -> None:
    mine = tmp_path / ".github/workflows/clusterprint-plan.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine\n")
    refused = clusterprint("init", "gitops", tmp_path, "--source", SOURCE)
    assert refused.returncode == 2
    assert (
        "clusterprint-plan.yaml: already exists with other content; use --force to overwrite"
        in refused.stderr
    )
    assert mine.read_text() == "mine\n"
    assert [path.name for path in mine.parent.iterdir()] == [mine.name], "all or nothing"

    forced = clusterprint("init", "gitops", tmp_path, "--source", SOURCE, "--force")
    assert forced.returncode == 0
    assert "GCP_SERVICE_ACCOUNT" in mine.read_text()
    again = clusterprint("init", "gitops", tmp_path, "--source", SOURCE)
    assert (again.returncode, again.stdout.count("unchanged: ")) == (0, 5)


def test_a_link_in_the_way_is_not_written_through(clusterprint: Run, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text("not ours\n")
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / ".pre-commit-config.yaml").symlink_to(elsewhere)
    options = ("--source", SOURCE, "--for", "pre-commit")
    assert clusterprint("init", "gitops", repository, *options).returncode == 2
    assert clusterprint("init", "gitops", repository, *options, "--force").returncode == 0
    assert elsewhere.read_text() == "not ours\n"


def test_a_folder_that_cannot_be_written_is_said_in_one_line(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / ".github").write_text("a file where a folder has to be")
    done = clusterprint("init", "gitops", tmp_path, "--source", SOURCE)
    assert done.returncode == 3
    assert done.stderr.startswith("error: cannot write ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--source", "clusterprint"),
        ("--source", "OWNER/clusterprint@REVISION"),
        ("--source", "OWNER/clusterprint@0123abcd"),
        ("--source", "team/clusterprint@REV"),
        ("--source", "https://HOST/PATH@v1"),
        ("--source", "example/clusterprint"),
        ("--source", "example/clusterprint@v1; rm -rf ~"),
        ("--source", "example/clusterprint@${{ github.token }}"),
        ("--source", "example/clusterprint@v1\nrun: x"),
        ("--source", "https://gitlab.example/team/clusterprint@v1"),
        ("--source", "example/../../x@v1"),
        ("--blueprints", "/etc"),
        ("--blueprints", "../other"),
        ("--blueprints", "a b"),
        ("--blueprints", "-rf"),
        ("--blueprints", "$(id)"),
        ("--branch", 'main"]'),
        ("--branch", "a..b"),
    ],
)
def test_values_that_could_do_more_than_be_filled_in_are_refused(
    clusterprint: Run, tmp_path: Path, option: str, value: str
) -> None:
    options = {"--source": SOURCE, option: value}
    done = clusterprint("init", "gitops", tmp_path, *[f"{name}={each}" for name, each in options.items()])
    assert done.returncode == 2
    assert option in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_clusterprint_can_come_from_another_forge(clusterprint: Run, tmp_path: Path) -> None:
    source = "https://gitlab.example/team/sub/clusterprint@0123abcd"
    done = clusterprint("init", "gitops", tmp_path, "--source", source, "--for", "gitlab")
    assert done.returncode == 0
    text = (tmp_path / ".gitlab/clusterprint.gitlab-ci.yml").read_text()
    assert 'fetch --quiet --depth=1 "https://gitlab.example/team/sub/clusterprint" "0123abcd"' in text
