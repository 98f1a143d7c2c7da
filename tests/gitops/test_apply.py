"""From a merge to a running cluster and away again, as workflows for GitHub do it, in a simulated cloud."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from composite import Ran, Runner
from forges import WRITER
from pull_request import Repository, git

from clusterprint.gitops.fill import Values, fill
from clusterprint_simcloud import Cloud

APPLY, DESTROY = (
    next(
        each.text
        for each in fill(["github"], Values("team/clusterprint@v1", "blueprints", "main"))
        if each.template.file == f"github/clusterprint-{name}.yaml"
    )
    for name in ("apply", "destroy")
)
VARIABLES = {
    "GCP_WORKLOAD_IDENTITY_PROVIDER": "projects/1/x",
    "GCP_SERVICE_ACCOUNT": "reads@example",
    "GCP_APPLY_SERVICE_ACCOUNT": "applies@example",
    "GCP_DESTROY_SERVICE_ACCOUNT": "destroys@example",
}
FIRST = "blueprints/first.yaml"


class Forge(NamedTuple):
    """Where workflows run: a repository, a cloud in a folder, and a machine for each job."""

    repository: Repository
    folder: Path
    tools: Path

    @property
    def made(self) -> set[str]:
        """Types of what somebody has made in the cloud."""
        records = Cloud(self.folder / "sim/cloud").read().records.values()
        return {one.type for one in records if not one.builtin and one.type != "google_storage_bucket"}

    def run(
        self, workflow: str, job: str, event: dict[str, Any], ref: str = "refs/heads/main", **more: Any
    ) -> Ran:
        """Run a job on the main branch as it is; what its run has kept is among its temporary files."""
        workspace = self.repository.checkout(self.folder / "workspace", "main", depth=99)
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        setup = {"command": str(self._command()), "python": str(self.tools / "bin/python")}
        runner = Runner(
            workspace,
            temporary,
            event,
            {},
            {"team/clusterprint/setup": lambda _: setup},
            token=WRITER,
            ref=ref,
            server_url="https://forge",
        )
        return runner.job(workflow, VARIABLES, job, **more)

    def _command(self) -> Path:
        """Our command, in a simulated cloud."""
        file, real = self.folder / "clusterprint", self.tools / "bin/clusterprint"
        file.write_text(
            f'#!/bin/sh\ncase "$1" in\n  up | down)\n    verb="$1"\n    shift\n'
            f'    exec {real} "$verb" --simulate {self.folder}/sim "$@" ;;\nesac\nexec {real} "$@"\n'
        )
        file.chmod(0o755)
        return file


@pytest.fixture
def forge(repository: Repository, tools: Path, tmp_path: Path) -> Forge:
    """A forge whose main branch has one cluster, that nobody has made yet."""
    return Forge(repository, tmp_path, tools)


def account(ran: Ran) -> str:
    return ran.used["google-github-actions/auth"]["service_account"]


def pushed(forge: Forge) -> dict[str, Any]:
    return {"before": git(forge.repository.folder, "rev-parse", "main^")}


@pytest.mark.slow
@pytest.mark.terraform
def test_a_merge_makes_a_cluster_and_a_pull_request_takes_it_away(forge: Forge) -> None:
    ran = forge.run(APPLY, "plan", pushed(forge))
    assert (ran.code, account(ran)) == (0, "reads@example"), ran.printed
    assert ran.outputs == {"blueprints": f'["{FIRST}"]', "standing": "[]"}
    assert " to add\n" in ran.summary, "what is approved stands where it is approved"
    assert forge.made == set()
    assert "actions/upload-artifact" in ran.used

    one: dict[str, Any] = {"matrix": {"blueprint": FIRST}, "needs": {"plan": {"outputs": ran.outputs}}}
    ran = forge.run(APPLY, "apply", pushed(forge), **one)
    assert (ran.code, account(ran)) == (0, "applies@example"), ran.printed
    assert "google_compute_instance_group_manager" in forge.made

    # Merged too early: it stands, and nobody would know.
    repository = forge.repository
    repository.propose({FIRST: None, "blueprints/other.md": "nothing\n"})
    git(repository.folder, "update-ref", "refs/pull/7/head", "change")
    main = git(repository.folder, "rev-parse", "main")
    git(repository.folder, "update-ref", "refs/heads/main", "refs/pull/7/merge")
    ran = forge.run(APPLY, "plan", {"before": main})
    assert (ran.code, ran.outputs) == (0, {"blueprints": "[]", "standing": f'["{FIRST}"]'}), ran.printed
    ran = forge.run(APPLY, "removed", {}, needs={"plan": {"outputs": ran.outputs}})
    assert ran.code == 1
    git(repository.folder, "update-ref", "refs/heads/main", main)

    asked = {"inputs": {"pull_request": "7", "include_data": "false", "remove_foreign": "false"}}
    ran = forge.run(DESTROY, "find", asked)
    assert (ran.code, ran.outputs) == (0, {"removed": f'["{FIRST}"]'}), ran.printed
    assert "google-github-actions/auth" not in ran.used
    ran = forge.run(DESTROY, "plan", asked, needs={"find": {"outputs": ran.outputs}})
    assert (ran.code, account(ran)) == (0, "reads@example"), ran.printed
    assert " to remove, " in ran.summary
    ran = forge.run(DESTROY, "destroy", asked, **one | {"needs": {"plan": {"outputs": ran.outputs}}})
    assert (ran.code, account(ran)) == (0, "destroys@example"), ran.printed
    assert forge.made <= {"google_project_service"}

    git(repository.folder, "update-ref", "refs/heads/main", "refs/pull/7/merge")
    assert forge.run(APPLY, "plan", {"before": main}).outputs["standing"] == "[]"


def test_only_what_a_pull_request_itself_removes_is_found(forge: Forge) -> None:
    """Not what came to the main branch since, nor what stands elsewhere in the repository now."""
    second = (forge.repository.folder / FIRST).read_text().replace("name: first", "name: second")
    forge.repository.propose(
        {FIRST: None, "blueprints/moved.yaml": "# moved\n" + second.replace("second", "first")}
    )
    forge.repository.advance({"blueprints/second.yaml": second + "network: {cidr: 10.64.0.0/16}\n"})
    git(forge.repository.folder, "update-ref", "refs/pull/7/head", "change")
    ran = forge.run(DESTROY, "find", {"inputs": {"pull_request": "7"}})
    assert (ran.code, ran.outputs) == (0, {"removed": "[]"}), ran.printed


@pytest.mark.parametrize("number", ["", "0", "-1", "7; id", "7\n8", "../main", "main"])
def test_what_is_no_number_of_a_pull_request_is_refused(forge: Forge, number: str) -> None:
    ran = forge.run(DESTROY, "find", {"inputs": {"pull_request": number}})
    assert ran.code == 2, ran.printed


@pytest.mark.parametrize(("workflow", "job"), [(APPLY, "plan"), (DESTROY, "find")])
def test_nothing_runs_on_another_branch(forge: Forge, workflow: str, job: str) -> None:
    event = {"inputs": {"pull_request": "7"}}
    assert forge.run(workflow, job, event, ref="refs/pull/7/merge").steps == []


def test_by_hand_it_is_about_what_is_named(forge: Forge) -> None:
    ran = forge.run(APPLY, "plan", {"inputs": {"blueprints": FIRST, "allow": "replacement nonsense"}})
    assert json.loads(ran.outputs["blueprints"] or "[]") == []
    assert ran.code == 2
    assert "nonsense" in ran.printed
