"""The plan of a pull request on GitHub: real Terraform, a simulated cloud, an account that only reads."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest
from composite import Ran, Runner
from forges import BOT, WRITER, Forge
from gitops.conftest import VM
from pull_request import Repository
from stand_ins import Answer, StandIns
from support import Run

from clusterprint.gitops.fill import Values, fill
from clusterprint_simcloud import Fault, World

pytestmark = [pytest.mark.slow, pytest.mark.long]

WORKFLOW = next(
    each.text
    for each in fill(["github"], Values("team/clusterprint@v1", "blueprints", "main"))
    if each.template.file == "github/clusterprint-plan.yaml"
)
LARGER = VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2")
VARIABLES = {"GCP_WORKLOAD_IDENTITY_PROVIDER": "projects/1/x", "GCP_SERVICE_ACCOUNT": "plan@example"}
NONE = Answer("^storage ls", err="ERROR: (gcloud.storage.ls) One or more URLs matched no objects.", code=1)
SOME = Answer("^storage ls", "gs://bucket/prefix/default.tfstate")


#: A clusterprint that finds one cluster removed, and standing.
STANDING = """\
#!/bin/sh
verb="$1" GONE=blueprints/first.yaml
while [ $# -gt 1 ]; do
  if [ "$1" = --out ]; then out="$2"; fi
  shift
done
case "$verb" in
  synth)
    mkdir -p "$out/stacks/other"
    echo '{"terraform": {"backend": {"gcs": {}}}}' > "$out/stacks/other/cdk.tf.json" ;;
  review)
    echo '{"clusters": [{"status": "orphaned", "previous_name": "", "files": ["'$GONE'"]}]}' > "$out"
    exit 4 ;;
  down) exit 4 ;;
esac
"""


class Plan(Protocol):
    """Runs the job on the pull request as it is now."""

    def __call__(self, around: Mapping[str, str], command: Path | None = None, states: Answer = SOME) -> Ran:
        """In an environment, with a clusterprint, and with what gcloud says of states."""


@pytest.fixture
def plan(repository: Repository, forge: Forge, tools: Path, tmp_path: Path) -> Plan:
    """A machine for the job."""

    def run(around: Mapping[str, str], command: Path | None = None, states: Answer = SOME) -> Ran:
        workspace = repository.checkout(tmp_path / "workspace")
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        gcloud = StandIns(tmp_path / "gcloud", gcloud=[states])
        environment = {
            **around,
            "PATH": f"{gcloud.folder}:{around['PATH']}",
            "GITHUB_GRAPHQL_URL": f"{forge.url}/graphql",
            "GITHUB_REPOSITORY": "team/clusters",
        }
        setup = {"command": str(command or tools / "bin/clusterprint"), "python": str(tools / "bin/python")}
        runner = Runner(
            workspace,
            temporary,
            repository.event(),
            environment,
            {"team/clusterprint/setup": lambda _: setup},
            token=WRITER,
            repository="team/clusters",
        )
        changed = {"find": {"outputs": {"code": "4"}}}
        return runner.job(WORKFLOW, VARIABLES, "plan", needs=changed)

    return run


@pytest.mark.terraform
def test_the_plan_job_says_what_terraform_would_do(repository: Repository, forge: Forge, plan: Plan) -> None:
    second = VM.replace("name: first", "name: second") + "network: {cidr: 10.64.0.0/16}\n"
    repository.commit({"blueprints/second.yaml": second})
    repository.propose({"blueprints/first.yaml": LARGER, "blueprints/second.yaml": None})
    with World("my-terraform-state") as world:
        ran = plan(world.environment, states=NONE)
        assert ran.code == 0, ran.printed
        assert world.storage.store.names("my-terraform-state") == [], "no lock, and no empty state"
        (comment,) = forge.by(BOT)
        assert comment.startswith("<!-- clusterprint:plan -->\n")
        assert "first-1" in comment
        assert "blueprints/first.yaml:" in comment, "the line that it comes from"
        assert not world.resources(), "a plan changes nothing"
    assert "google-github-actions/auth" in ran.used
    assert "actions/upload-artifact" not in ran.used, "plans hold secrets"


@pytest.mark.terraform
def test_a_stack_that_cannot_be_planned_fails_the_job_and_hides_no_other(
    repository: Repository, forge: Forge, plan: Plan
) -> None:
    elsewhere = VM.replace("name: first", "name: second").replace(
        "my-terraform-state", "a-bucket-that-is-not-there"
    )
    repository.propose({"blueprints/second.yaml": elsewhere + "network: {cidr: 10.64.0.0/16}\n"})
    with World("my-terraform-state") as world:
        ran = plan(world.environment)
    assert ran.code == 3, ran.printed
    assert [each[2] for each in ran.annotations if "stack second cannot be planned" in each[2]]
    (comment,) = forge.by(BOT)
    assert "Terraform could not plan them: second" in comment


GKE = """\
clusterprint: v1
kind: gke
name: inside
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: cpu, machine_type: n2-standard-4}]
workloads:
  manifests: [{inline: "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: b}}"}]
"""


@pytest.mark.terraform
def test_what_is_inside_a_cluster_is_planned_without_a_way_into_it(
    repository: Repository, forge: Forge, clusterprint: Run, plan: Plan, tmp_path: Path
) -> None:
    """An account that may not read secrets sees every release as new: nobody asks with it."""
    blueprint = tmp_path / "inside.yaml"
    blueprint.write_text(GKE, "utf-8")
    clusterprint("synth", blueprint, "--out", tmp_path / "out")
    repository.propose({"blueprints/inside.yaml": GKE.replace("a: b", "a: c")})
    with World("my-terraform-state") as world:
        for name in ("inside-cluster", "inside-workloads"):
            world.apply(tmp_path / "out/stacks" / name)
        refused = "(helm_release|kubernetes_.*)"
        world.faults(Fault(operation="read", type=refused, times=999, error="secrets is forbidden"))
        ran = plan(world.environment)
    assert ran.code == 0, ran.printed
    (comment,) = forge.by(BOT)
    assert "Planned from the state, without a look into the cluster: inside-workloads." in comment
    assert "helm_release" in comment
    assert "`~` Helm release manifests" in comment, "changed, not new"


@pytest.mark.terraform
def test_a_new_cluster_is_planned_and_what_lies_in_it_is_named(
    repository: Repository, forge: Forge, plan: Plan
) -> None:
    repository.propose({"blueprints/first.yaml": None, "blueprints/inside.yaml": GKE})
    with World("my-terraform-state") as world:
        ran = plan(world.environment, states=NONE)
        assert not world.resources()
    assert ran.code == 0, ran.printed
    (comment,) = forge.by(BOT)
    assert "Not in it, because they lie in a cluster that is new: inside-workloads." in comment
    assert "google_container_cluster" in comment


def test_the_plan_job_does_not_run_for_forks_nor_before_it_is_set_up(
    repository: Repository, tmp_path: Path
) -> None:
    repository.propose({"blueprints/first.yaml": LARGER})
    stranger = repository.event()
    stranger["pull_request"]["head"]["repo"] = {"full_name": "stranger/clusters"}
    for event, variables in ((stranger, VARIABLES), (repository.event(), {})):
        runner = Runner(tmp_path, tmp_path, event, {}, repository="team/clusters")
        assert runner.job(WORKFLOW, variables, "find").steps == []


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"README.md": "more\n"}, "0"),
        ({"blueprints/first.yaml": LARGER}, "4"),
        ({"blueprints/first.yaml": "x"}, "1"),
    ],
)
def test_nobody_is_asked_and_no_identity_is_used_where_no_cluster_changes(
    files: dict[str, str], code: str, repository: Repository, tools: Path, tmp_path: Path
) -> None:
    repository.propose(dict(files))
    workspace = repository.checkout(tmp_path / "workspace")
    setup = {"command": str(tools / "bin/clusterprint")}
    others = {"team/clusterprint/setup": lambda _: setup}
    runner = Runner(workspace, tmp_path, repository.event(), {}, others, repository="team/clusters")
    ran = runner.job(WORKFLOW, VARIABLES, "find")
    assert (ran.code, ran.outputs) == (0, {"code": code}), ran.printed


def test_what_a_pull_request_removes_has_to_go_before(
    repository: Repository, forge: Forge, plan: Plan, tmp_path: Path
) -> None:
    repository.propose({"blueprints/first.yaml": None})
    programs = StandIns(tmp_path / "bin", terraform=[Answer("")])
    command = programs.folder / "clusterprint"
    command.write_text(STANDING)
    command.chmod(0o755)
    ran = plan(programs.first, command)
    assert ran.code == 1, ran.printed
    assert "what this removes still stands" in ran.printed
    (comment,) = forge.by(BOT)
    assert 'not known to be gone: `["blueprints/first.yaml"]`' in comment
    assert "`gh workflow run clusterprint-destroy.yaml -f pull_request=7`" in comment
