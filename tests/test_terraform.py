"""Real Terraform on everything that we make, against the simulated cloud (docs/simulated-cloud.md)."""

import json
import shutil
from pathlib import Path

import pytest
from covering import few_with_all_arguments, few_with_all_types
from support import Change, Run, StacksOf, cases, field

from clusterprint.catalog.permissions import type_rights
from clusterprint.rights import TASKS, Task, needs
from clusterprint_simcloud import World

pytestmark = pytest.mark.terraform


# What everything else in a cluster of a kind with nodes is there for.
NODES = {
    "vm": {"google_compute_instance_group_manager"},
    "gke": {"google_container_node_pool"},
    "ray": {"google_container_node_pool"},
    "vmss": {"azurerm_linux_virtual_machine_scale_set", "azurerm_orchestrated_virtual_machine_scale_set"},
}
# In a cluster that is there already: what runs inside is all that is made.
INSIDE = {"helm_release"}
CLUSTER, IN_CLUSTERS = "google_container_cluster", {"google_container_node_pool"}


def bucket_of(case: Path) -> str:
    """The state bucket of a blueprint."""
    text = case.read_text("utf-8")
    return text.partition("{bucket: ")[2].partition("}")[0].partition(",")[0]


def lift_protection(world: World, folder: Path) -> None:
    """Let a stack be destroyed, as its owner would: what it protects is refused until then."""
    text = (folder / "cdk.tf.json").read_text("utf-8")
    if '"prevent_destroy": true' in text:
        before = world.resources()
        assert "Instance cannot be destroyed" in world.destroy(folder, check=False).stderr
        assert world.resources() == before, "all of it stays, not only what is protected"
        unprotect(folder)
        world.apply(folder)


def unprotect(folder: Path) -> None:
    """Protect nothing in a stack."""
    file = folder / "cdk.tf.json"
    text = file.read_text("utf-8")
    if '"prevent_destroy": true' in text:
        lifted = text.replace('"deletion_protection": true', '"deletion_protection": false')
        lifted = lifted.replace('"deletion_protection_enabled": true', '"deletion_protection_enabled": false')
        lifted = lifted.replace('"prevent_destroy": true', '"prevent_destroy": false')
        lifted = lifted.replace('"deletion_policy": "PREVENT"', '"deletion_policy": "DELETE"')
        lifted = lifted.replace('"may_be_lost": false', '"may_be_lost": true')
        file.write_text(lifted, "utf-8")


FEW = few_with_all_types(cases())
# Every argument that any stack sets is applied; `make real` does the same with all blueprints.
LIVES = [
    pytest.param(case, id=case.stem, marks=pytest.mark.covering if case in FEW else ())
    for case in sorted(FEW | few_with_all_arguments(cases()))
]


@pytest.mark.parametrize("case", LIVES)
def test_whole_life(case: Path, stacks: StacksOf, tmp_path: Path) -> None:
    """Init, plan, apply, a second plan that is empty, destroy, and nothing is left.

    The few blueprints that have all types are refused to be destroyed first; the others are not protected.
    """
    folders = [Path(shutil.copytree(each, tmp_path / each.name)) for each in stacks(case)]
    if case not in FEW:
        for folder in folders:
            unprotect(folder)
    with World(bucket_of(case)) as world:
        world.assume(*folders)
        for folder in folders:
            assert set(world.changes(folder).values()) == {"create"}
            world.carry_out(folder)
        for folder in folders:
            assert world.changes(folder) == {}
        present = {record.type for record in world.resources()}
        nodes = NODES.get(field(case, "kind"), present)
        lacks_cluster = nodes <= IN_CLUSTERS and CLUSTER not in present
        assert present & (INSIDE if lacks_cluster else nodes)
        for folder in reversed(folders):
            if case in FEW:
                lift_protection(world, folder)
            world.destroy(folder)
        assert {record.type for record in world.resources()} <= STAYS
        assert_permitted(folders, world)


# APIs stay enabled, and others may boot from images.
STAYS = {"google_project_service", "google_compute_image"}


def assert_permitted(folders: list[Path], world: World) -> None:
    """The permissions of `clusterprint rights` suffice for every call that the cloud received."""
    found = needs([json.loads((folder / "cdk.tf.json").read_text("utf-8")) for folder in folders])
    permitted = {task: {one for need in found for one in need.permissions[task]} for task in TASKS}
    calls = {(call["type"], call["operation"]) for call in world.cloud.calls()}
    assert {operation for _, operation in calls} >= {"create", "delete"}
    for type_, operation in calls:
        rights = type_rights(type_)
        assert rights is not None, f"nothing is known of {type_}"
        asked = set(getattr(rights, operation))
        task: Task = "destroy" if operation == "delete" else "apply"
        assert asked or rights.roles.get(task) or (type_, operation) in ASKS_NOTHING, (type_, operation)
        assert asked | {*rights.read} <= permitted[task], (type_, operation)
        assert {*rights.read} <= permitted["plan"], type_


# APIs stay enabled.
ASKS_NOTHING = {("google_project_service", "delete")}


# ---- what a change of a blueprint does to a running cluster

FLEX = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-south1
zone: us-south1-b
backend: {gcs: {bucket: my-terraform-state}}
nodes:
  machine_type: a3-ultragpu-8g
  count: 2
  capacity: {model: flex_start}
"""

NAMED = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes:
  machine_type: a2-highgpu-1g
  count: 2
"""


def test_more_nodes_are_added_and_nothing_else_changes(change: Change) -> None:
    changes = change(NAMED, NAMED.replace("count: 2", "count: 3"))
    assert changes == {
        'google_compute_per_instance_config.group_node["life-2"]': "create",
        "terraform_data.group_arrival": "replace",
    }


def test_fewer_nodes_go_from_the_end(change: Change) -> None:
    changes = change(NAMED, NAMED.replace("count: 2", "count: 1"))
    assert changes == {
        'google_compute_per_instance_config.group_node["life-1"]': "delete",
        "terraform_data.group_arrival": "replace",
    }


def test_another_image_is_another_template_and_the_group_stays(change: Change) -> None:
    # Lists of all nodes are made unasked only where an image is known to take the packages that they need.
    without_lists = NAMED + "cluster: {hosts: false}\n"
    image = "  image: {project: my-images, name: trainer-v2}\n"
    changes = change(without_lists, without_lists.replace("cluster:", f"{image}cluster:"))
    assert changes == {
        "google_compute_instance_template.template": "replace",
        "google_compute_instance_group_manager.group": "update",
    }


def test_labels_never_replace_a_network(change: Change) -> None:
    changes = change(NAMED, NAMED + "labels: {team: ml}\n")
    assert "replace" not in {kind for name, kind in changes.items() if "template" not in name}


def test_another_number_of_queued_nodes_is_another_queue(change: Change) -> None:
    changes = change(FLEX, FLEX.replace("count: 2", "count: 4"))
    assert changes == {
        "google_compute_instance_group_manager.group": "replace",
        "google_compute_resize_request.group_request": "replace",
        "terraform_data.group_queue": "update",
    }


def test_text_arrives_as_it_is_whatever_it_looks_like(clusterprint: Run, tmp_path: Path) -> None:
    texts = [
        "${HOME}",
        "$${HOME} %{if true}",
        "${TfToken[TOKEN.0]}",
        "#{TfToken[TOKEN.0]}",
        "String Map Token Value",
        "-8.109562212591379e+298",
        "1" * 3000,
        "$%{}",
    ]
    metadata = {f"key{index}": text for index, text in enumerate(texts)}
    file = tmp_path / "life.yaml"
    file.write_text(f"{NAMED}metadata: {json.dumps(metadata)}\n")
    done = clusterprint("synth", file, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with World("my-terraform-state") as world:
        plan = world.plan(tmp_path / "out" / "stacks" / "life")
    changes = {each["address"]: each["change"]["after"] for each in plan["resource_changes"]}
    planned = changes["google_compute_instance_template.template"]["metadata"]
    assert {key: value for key, value in planned.items() if key in metadata} == metadata
