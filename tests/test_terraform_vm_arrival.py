"""Nodes of `kind: vm` that do not come: what an apply and a plan say of them, by real Terraform."""

from pathlib import Path

import pytest
from support import Run

from clusterprint_simcloud import World

pytestmark = pytest.mark.terraform

ZONE = "us-central1-a"
BLUEPRINT = f"""\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: {ZONE}
backend: {{gcs: {{bucket: my-terraform-state}}}}
nodes: {{machine_type: a2-highgpu-1g, count: 2}}
"""
ERRORS = "gcloud compute instance-groups managed list-errors life-nodes"


def synthesized(clusterprint: Run, folder: Path, text: str = BLUEPRINT) -> Path:
    file = folder / "life.yaml"
    file.write_text(text)
    done = clusterprint("synth", file, "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder / "out" / "stacks" / "life"


def flat(text: str) -> str:
    """The output of Terraform, without its frames and line ends."""
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("ZONE_RESOURCE_POOL_EXHAUSTED", f"{ZONE} has no such machine left now"),
        ("QUOTA_EXCEEDED", "the project has too little quota"),
    ],
)
def test_an_apply_without_nodes_fails(clusterprint: Run, tmp_path: Path, code: str, why: str) -> None:
    folder = synthesized(clusterprint, tmp_path)
    with World("my-terraform-state") as world:
        world.shortage(ZONE, code)
        done = world.apply(folder, check=False)
        said = flat(done.stdout + done.stderr)
        assert done.returncode == 1
        assert "life-nodes has 0 of its 2 nodes" in said
        assert why in said
        assert f"{ERRORS} --project=my-gpu-project --zone={ZONE}" in said
        assert not world.resources("google_compute_instance")
        # It is waited for again, and nothing else is to do; what is missing is said at each plan.
        assert world.changes(folder) == {"terraform_data.group_arrival": "replace"}


def test_without_gcloud_an_apply_warns(clusterprint: Run, tmp_path: Path) -> None:
    folder = synthesized(clusterprint, tmp_path)
    with World("my-terraform-state") as world:
        # A gcloud that cannot look at anything is as good as none.
        (world.folder / "tools" / "gcloud").write_text("#!/bin/sh\nexit 1\n")
        world.shortage(ZONE, "QUOTA_EXCEEDED")
        done = world.apply(folder)
        said = flat(done.stdout + done.stderr)
        assert "Warning: Check block assertion failed" in said
        assert "does not have all of its nodes (2). Mostly the project has too little quota" in said
        later = world.terraform(folder, "plan", "-detailed-exitcode", check=False)
        assert later.returncode == 0, later.stdout
        assert ERRORS in flat(later.stdout + later.stderr)


def test_an_apply_with_nodes_says_so(clusterprint: Run, tmp_path: Path) -> None:
    folder = synthesized(clusterprint, tmp_path)
    with World("my-terraform-state") as world:
        done = world.apply(folder)
        assert "life-nodes has its 2 nodes." in done.stdout
        assert "Warning" not in done.stdout + done.stderr
        later = world.terraform(folder, "plan", "-detailed-exitcode", check=False)
        assert later.returncode == 0, later.stdout


def test_more_nodes_are_waited_for(clusterprint: Run, tmp_path: Path) -> None:
    with World("my-terraform-state") as world:
        world.apply(synthesized(clusterprint, tmp_path))
        world.shortage(ZONE, "QUOTA_EXCEEDED")
        done = world.apply(
            synthesized(clusterprint, tmp_path, BLUEPRINT.replace("count: 2", "count: 3")), check=False
        )
        assert done.returncode == 1
        assert "life-nodes has 2 of its 3 nodes" in flat(done.stdout + done.stderr)


def test_queued_nodes_that_are_waited_for(clusterprint: Run, tmp_path: Path) -> None:
    queued = BLUEPRINT.replace("count: 2", "count: 2, capacity: {model: flex_start}")
    folder = synthesized(clusterprint, tmp_path, queued)
    with World("my-terraform-state") as world:
        world.shortage(ZONE, "ZONE_RESOURCE_POOL_EXHAUSTED")
        done = world.apply(folder)
        said = flat(done.stdout + done.stderr)
        assert "Group life-nodes is still waiting for its nodes (2)" in said
        assert "resize-requests list life-nodes --project=my-gpu-project" in said
