"""A time to live of `kind: vm`, by real Terraform: what is planned again, what changes, what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from support import Change, Run

from clusterprint_simcloud import World

pytestmark = pytest.mark.terraform

LIVES = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-4, count: 2}
time_to_live: 2d
"""


def test_more_time_is_another_schedule_and_nothing_else(change: Change) -> None:
    assert change(LIVES, LIVES.replace("2d", "3d")) == {
        "google_cloud_scheduler_job.end_job": "update",
        "google_storage_bucket_object.end_notice": "update",
    }


def test_more_nodes_end_with_the_others(change: Change) -> None:
    assert change(LIVES, LIVES.replace("count: 2", "count: 3")) == {
        'google_compute_per_instance_config.group_node["life-2"]': "create",
        "terraform_data.group_arrival": "replace",
        "google_cloud_scheduler_job.end_job": "update",
    }


def test_without_a_time_to_live_all_of_it_goes_and_no_machine_does(change: Change) -> None:
    changes = change(LIVES, LIVES.replace("time_to_live: 2d\n", ""))
    assert changes.pop("google_compute_instance_template.template") == "replace"
    assert changes.pop("google_compute_instance_group_manager.group") == "update"
    assert set(changes.values()) == {"delete"}
    assert not {each for each in changes if "per_instance_config" in each}


def over(folder: Path) -> None:
    """Make it later than the end: the same stack, whose two days are over already."""
    file = folder / "cdk.tf.json"
    text = file.read_text("utf-8")
    assert '\\"172800s\\"' in text
    file.write_text(text.replace('\\"172800s\\"', '\\"-60s\\"'), "utf-8")


def test_nothing_is_made_again_when_it_is_over_unless_somebody_says_so(
    clusterprint: Run, tmp_path: Path
) -> None:
    file = tmp_path / "life.yaml"
    file.write_text(LIVES)
    assert clusterprint("synth", file, "--out", tmp_path / "out").returncode == 0
    folder = tmp_path / "out" / "stacks" / "life"
    with World("my-terraform-state") as world:
        world.apply(folder)
        job: dict[str, Any] = next(
            record.state for record in world.resources() if record.type == "google_cloud_scheduler_job"
        )
        minute, hour, day, month, weekday = job["schedule"].split()
        assert (int(minute) < 60, int(hour) < 24, 1 <= int(day) <= 31, 1 <= int(month) <= 12) == (True,) * 4
        assert weekday == "*"
        before = folder.joinpath("cdk.tf.json").read_text("utf-8")
        over(folder)
        refused = world.terraform(folder, "plan", check=False)
        assert refused.returncode == 1
        said = " ".join(refused.stderr.replace("\u2502", " ").split())
        assert "The time to live of life, 2d, is over." in said
        assert "-replace=terraform_data.end_begun" in said
        folder.joinpath("cdk.tf.json").write_text(before, "utf-8")
        again = world.terraform(
            folder, "apply", "-auto-approve", "-replace=terraform_data.end_begun", check=False
        )
        assert again.returncode == 0, again.stderr
        over(folder)
        world.destroy(folder)
        assert {record.type for record in world.resources()} <= {"google_project_service"}


def test_who_ends_a_cluster_can_do_nothing_else(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "life.yaml"
    file.write_text(LIVES)
    clusterprint("synth", file, "--out", tmp_path / "out")
    stack = json.loads((tmp_path / "out/stacks/life/cdk.tf.json").read_text("utf-8"))["resource"]
    nodes = stack["google_compute_instance_group_manager"]["group"]
    assert "google_project_iam_member.end_grant" in nodes["depends_on"], (
        "no node is there that nobody may end"
    )
    roles = {
        grant["role"]
        for grant in stack["google_project_iam_member"].values()
        if "end_account" in grant["member"]
    }
    assert roles == {"${google_project_iam_custom_role.end_role.name}"}
    assert stack["google_project_iam_custom_role"]["end_role"]["permissions"] == [
        "compute.instanceGroupManagers.get",
        "compute.instanceGroupManagers.update",
    ]


def test_an_apply_that_waits_waits_again_for_other_nodes_only(change: Change) -> None:
    waits = LIVES.replace("time_to_live: 2d\n", "wait: {timeout: 10m}\n")
    assert change(waits, waits.replace("count: 2", "count: 3")) == {
        'google_compute_per_instance_config.group_node["life-2"]': "create",
        "terraform_data.group_arrival": "replace",
        "terraform_data.wait": "replace",
    }


def test_an_apply_that_waits_waits_again_for_the_same_nodes_in_another_group(
    clusterprint: Run, tmp_path: Path
) -> None:
    file = tmp_path / "life.yaml"
    file.write_text(LIVES.replace("time_to_live: 2d\n", "wait: {timeout: 10m}\n"))
    clusterprint("synth", file, "--out", tmp_path / "out")
    stack = json.loads((tmp_path / "out/stacks/life/cdk.tf.json").read_text("utf-8"))["resource"]
    wait = stack["terraform_data"]["wait"]
    assert wait["triggers_replace"]["group"] == "${google_compute_instance_group_manager.group.id}"
    # Ready nodes are waited for after their machines, not at the same time.
    assert "terraform_data.group_arrival" in wait["depends_on"]


def test_health_checks_go_after_their_group_does_without(change: Change) -> None:
    checked = LIVES.replace("time_to_live: 2d\n", "").replace("count: 2", "count: 2, health: {repair: true}")
    changes = change(checked, checked.replace("repair: true", "enabled: true"))
    assert changes["google_compute_health_check.health-check"] == "delete"
    assert changes["google_compute_instance_group_manager.group"] == "update"
