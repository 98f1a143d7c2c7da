"""Each way out that a message of `clusterprint import` names is one: it is taken, and the import succeeds."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from imported import INPUTS
from support import BLUEPRINTS, Run

TOOLKIT = """\
blueprint_name: run
vars:
  project_id: my-project
  deployment_name: run
  region: us-central1
  zone: us-central1-a
  nodes:
  spot:
  word:
deployment_groups:
- modules:
  - id: cluster
    source: modules/scheduler/gke-cluster
    settings: {enable_private_endpoint: false}
  - id: pool
    source: modules/compute/gke-node-pool
    use: [cluster]
    settings: {machine_type: n2-standard-4, zones: [$(vars.zone)], %s}
"""
ONE = "static_node_count: 1"
MACHINES = {
    "id": "vm",
    "source": "modules/compute/vm-instance",
    "settings": {"machine_type": "n2-standard-4"},
}
IN_JSON = json.dumps(
    {
        "blueprint_name": "run",
        "vars": {"project_id": "my-project", "region": "us-central1", "zone": "us-central1-a"},
        "deployment_groups": [{"modules": [MACHINES]}],
    }
)
XPK = (
    "xpk cluster create --cluster=c --project=my-project --zone=us-west4-a --tpu-type=v5litepod-16\n"
    "xpk workload create --workload=w --docker-image=i --command=c --tpu-type=v5litepod-16 %s\n"
)
ENV = "PROJECT_ID=my-project\nNAME_PREFIX=run\nZONE=us-central1-a\nREGION=us-central1\n"
SUBSCRIPTION = ("--var", "SUBSCRIPTION=00000000-0000-0000-0000-000000000000")


class Case(NamedTuple):
    """An input, a part of what is said of it, and what is added to the command for it, or `edit`ed."""

    text: str
    message: str
    way: tuple[str, ...] = ()
    edit: tuple[str, str] = ("", "")
    given: tuple[str, ...] = ()


def var(text: str) -> tuple[str, str]:
    return "--var", text


def without(name: str, line: str) -> str:
    """An input of the tests, less the line that begins so."""
    lines = (INPUTS / name).read_text().splitlines(keepends=True)
    return "".join(each for each in lines if not each.startswith(line))


CASES = [
    Case(TOOLKIT % "static_node_count: $(vars.nodes)", "--var nodes=...", var("nodes=2")),
    Case(TOOLKIT % f"{ONE}, spot: $(vars.spot)", "--var spot=...", var("spot=true")),
    Case(TOOLKIT % f"{ONE}, name: a-$(vars.nodes)", "--var nodes=...", var("nodes=7")),
    Case(TOOLKIT % f"{ONE}, kubernetes_labels: {{a: $(vars.word)}}", "--var word=...", var("word='7'")),
    Case(TOOLKIT % "static_node_count: ((vars.nodes))", "write its result", edit=("((vars.nodes))", "2")),
    Case(
        TOOLKIT % f"{ONE}, name: $(lower(vars.word))", "write its result", edit=("$(lower(vars.word))", "x")
    ),
    Case(TOOLKIT.replace("my-project", "") % ONE, "--var project_id=...", var("project_id=my-project")),
    Case(TOOLKIT.replace("my-project", "PROJECT_ID") % ONE, "write your own", var("project_id=my-project")),
    Case(
        TOOLKIT.replace("central1\n", "$(vars.word)\n") % ONE, "--var region=...", var("region=us-central1")
    ),
    Case(TOOLKIT % f"{ONE}, sysctls: 1", "--lossy leaves them out", ("--lossy",)),
    Case(IN_JSON, "name it with --from", ("--from", "toolkit")),
    Case(XPK % "--priority=$P", "--var priority=...", var("priority=high")),
    Case(XPK % "--env=A=$P", "--var env=...", var("env=A=1")),
    Case(XPK % "--env A", "write --env A=VALUE", edit=("--env A", "--env A=1")),
    Case(XPK.replace("--docker-image=i", "") % "", "add --docker-image=...", var("docker-image=i")),
    Case(XPK.replace("--command=c", "") % "", "add it to the command", var("command=c")),
    Case(XPK.replace("--zone=us-west4-a", "") % "", "--var zone=...", var("zone=us-west4-a")),
    Case(without("container.tfvars", "-"), "--lossy leaves", ("--lossy",)),
    Case(
        without("container.tfvars", "project_id"),
        "--var project_id=...",
        (*var("project_id=p-roject"), "--lossy"),
    ),
    Case(without("container-gke.tfvars", "region"), "--var region=...", var("region=us-central1")),
    Case(
        without("container-gke.tfvars", "resource_prefix"),
        "--var resource_prefix=...",
        var('resource_prefix="a"'),
    ),
    Case(without("mpi.tfvars", "project_id"), "--var project_id=...", var("project_id=my-project")),
    Case(without("azure.env", "-"), "--var SUBSCRIPTION=...", SUBSCRIPTION),
    Case(
        without("azure.env", "LOCATION"),
        "--var LOCATION=...",
        var("LOCATION=southcentralus"),
        given=SUBSCRIPTION,
    ),
    Case(without("task.yaml", "-"), "--var project=...", (*var("project=my-project"), "--lossy")),
    Case(
        without("ray.yaml", "-").replace("project_id: ", "id: "),
        "provider.project_id is missing",
        ("--lossy",),
        ("{type: gcp, id: ", "{type: gcp, project_id: "),
    ),
    Case(ENV.replace("ZONE", "# "), "add ZONE=...", edit=("REGION=", "ZONE=us-central1-a\nREGION=")),
    Case(ENV.replace("ZONE", "# "), "add ZONE=...", var("ZONE=us-central1-a")),
    Case(f"{ENV}COPY_DIR_PATH=/usr/cp\n", "write COPY_DIR_PATH=./cp", edit=("/usr/cp", "./cp")),
    Case(f"{ENV}STARTUP_SCRIPT_PATH=/x/go.sh\n", "STARTUP_SCRIPT_PATH=./go.sh", edit=("/x/go.sh", "./go.sh")),
    Case(f"{ENV}METADATA={{a = b}}\n", "each value in double quotes", edit=("a = b", 'a = "b"')),
    Case(f"{ENV}INSTANCE_CONT=2\n", "did you mean INSTANCE_COUNT?", edit=("CONT", "COUNT")),
    Case(f"{ENV}GPU_COUNT=9\n", "leave it out", edit=("GPU_COUNT=9\n", "")),
    Case(f"{ENV}not a variable\n", "write one variable on each line", edit=("not a variable\n", "")),
    Case(f"{ENV}VM_TYPE\n", "write VM_TYPE=...", edit=("VM_TYPE\n", "VM_TYPE=a2-highgpu-1g\n")),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{each.message}" for number, each in enumerate(CASES)])
def test_a_way_out_that_is_named_is_one(clusterprint: Run, tmp_path: Path, case: Case) -> None:
    file = tmp_path / "input"
    file.write_text(case.text)
    (tmp_path / "cp").mkdir()
    for name in ("cp/a", "HPL.dat", "go.sh"):
        (tmp_path / name).write_text("#!/bin/bash\n")
    shutil.copy(BLUEPRINTS / "cluster.pub", tmp_path)
    command = ("import", "input", "--out", "out.yaml", *case.given)
    failed = clusterprint(*command, cwd=tmp_path)
    assert (failed.returncode != 0, case.message in failed.stderr) == (True, True), failed.stderr
    if case.edit != ("", ""):
        file.write_text(case.text.replace(*case.edit))
    done = clusterprint(*command, *case.way, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # The last one: what is there is not overwritten, and another name is no problem.
    again = clusterprint(*command, *case.way, cwd=tmp_path)
    assert (again.returncode, "name another with --out" in again.stderr) == (2, True)
    other = clusterprint(*command, *case.way, "--out", "other.yaml", cwd=tmp_path)
    assert other.returncode == 0


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (TOOLKIT % ONE, "project_id=[a"),
        (TOOLKIT % ONE, 'project_id="a'),
        (TOOLKIT % ONE, "project_id={a: 1, a: 2}"),
        (TOOLKIT % ONE, "project_id=*a"),
        (without("mpi.tfvars", "-"), "owner={a = }"),
        (without("mpi.tfvars", "-"), 'owner="a" "b"'),
        (without("mpi.tfvars", "-"), 'owner="${a}"'),
        (without("mpi.tfvars", "-"), 'owner="a"\nregion = "b"'),
        (without("azure.env", "-"), "TAGS=('a)"),
    ],
)
def test_a_value_that_the_format_cannot_read_is_refused(
    clusterprint: Run, tmp_path: Path, text: str, given: str
) -> None:
    (tmp_path / "input").write_text(text)
    done = clusterprint("import", "input", "--var", given, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--var {given.partition('=')[0]}=" in done.stderr
    assert "cannot be read as the format" in done.stderr
    assert "Traceback" not in done.stderr
