"""Nodes of `kind: vm` placed in another way, and groups that are made anew, by real Terraform."""

import json
import subprocess
from pathlib import Path

import pytest
from support import Change, Run

from clusterprint_simcloud import World

pytestmark = pytest.mark.terraform

BEGIN = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
"""
ULTRA = "nodes: {machine_type: a3-ultragpu-8g, count: 2, capacity: {model: spot}}\n"
BLOCK = (
    "nodes: {machine_type: a3-ultragpu-8g, capacity: {model: spot}, "
    "placement: {policy: workload, max_topology_distance: block}}\n"
)
HIGH = "nodes: {machine_type: a3-highgpu-8g, count: 2}\n"
RESERVED = "model: reservation, reservation: mine"

# What could not be applied: a group with nodes keeps its policy, and nodes keep theirs.
CHANGES = {
    "a workload policy goes": (ULTRA, ULTRA.replace("model: spot", RESERVED)),
    "a workload policy changes": (BLOCK, BLOCK.replace("distance: block", "distance: cluster")),
    "a placement policy goes": (HIGH, HIGH.replace("count: 2", f"count: 2, capacity: {{{RESERVED}}}")),
}
MORE = {
    "a workload policy comes": CHANGES["a workload policy goes"][::-1],
    "a placement policy comes": CHANGES["a placement policy goes"][::-1],
}


@pytest.mark.parametrize("name", [*CHANGES, *MORE])
def test_another_placement_is_another_group(change: Change, name: str) -> None:
    before, after = {**CHANGES, **MORE}[name]
    changes = change(BEGIN + before, BEGIN + after)
    assert changes["google_compute_instance_group_manager.group"] == "replace"
    assert changes['google_compute_per_instance_config.group_node["life-0"]'] == "replace"
    assert not any("network" in address for address in changes)


@pytest.mark.parametrize("name", CHANGES)
def test_another_placement_since_a_revision(clusterprint: Run, tmp_path: Path, name: str) -> None:
    before, after = CHANGES[name]
    file = tmp_path / "life.yaml"
    file.write_text(BEGIN + before)
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "begin"]):
        who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)
    file.write_text(BEGIN + after)
    done = clusterprint("plan", "life.yaml", "--simulate", "--from", "HEAD", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The simulated apply failed" not in done.stdout
    assert "google_compute_instance_group_manager.group must be replaced" in done.stdout


def synthesized(clusterprint: Run, folder: Path, text: str) -> Path:
    file = folder / "life.yaml"
    file.write_text(BEGIN + text)
    done = clusterprint("synth", file, "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder / "out" / "stacks" / "life"


@pytest.mark.parametrize("model", ["on_demand", "flex_start"])
def test_what_is_in_a_group_follows_it(clusterprint: Run, tmp_path: Path, model: str) -> None:
    """A group of the same name is made anew: its nodes are there in the end, by one apply."""
    folder = synthesized(
        clusterprint,
        tmp_path,
        f"nodes: {{machine_type: a2-highgpu-1g, count: 2, capacity: {{model: {model}}}}}\n",
    )
    with World("my-terraform-state") as world:
        world.apply(folder)
        replaced = "-replace=google_compute_instance_group_manager.group"
        world.terraform(folder, "apply", "-auto-approve", replaced)
        assert len(world.resources("google_compute_instance")) == 2
        assert world.changes(folder) == {}


def test_a_policy_that_is_there(clusterprint: Run, tmp_path: Path) -> None:
    existing = ULTRA.replace("spot}", "spot}, placement: {policy: workload, existing: theirs}")
    with World("my-terraform-state") as world:
        for text in (ULTRA, existing, existing.replace("theirs", "others"), ULTRA):
            folder = synthesized(clusterprint, tmp_path, text)
            world.assume(folder)
            world.apply(folder)
            assert world.changes(folder) == {}
            made = world.resources("google_compute_resource_policy")
            assert [each.state["name"] for each in made] == ["life-placement-workload"] * (text == ULTRA)


def test_nodes_keep_their_disks_until_they_are_taken_out(clusterprint: Run, tmp_path: Path) -> None:
    stack = json.loads((synthesized(clusterprint, tmp_path, HIGH) / "cdk.tf.json").read_text("utf-8"))
    manager = stack["resource"]["google_compute_instance_group_manager"]["group"]
    template = stack["resource"]["google_compute_instance_template"]["template"]
    kept = [{"delete_rule": "ON_PERMANENT_INSTANCE_DELETION", "device_name": "persistent-disk-0"}]
    assert manager["stateful_disk"] == kept
    assert template["disk"][0]["device_name"] == "persistent-disk-0"
