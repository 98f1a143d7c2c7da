"""Effects of changed groups, files and scripts of `kind: vm` on running nodes, by real Terraform."""

from pathlib import Path

import pytest
from support import Change

pytestmark = pytest.mark.terraform

GROUPS = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-b
backend: {gcs: {bucket: my-terraform-state}}
node_groups:
  - {name: login, machine_type: n2-standard-4}
  - {name: compute, machine_type: a3-ultragpu-8g, capacity: {model: spot}}
"""


def test_another_group_touches_nothing_that_is_there(change: Change) -> None:
    changes = change(GROUPS, GROUPS + "  - {name: prepare, machine_type: c2-standard-60, count: 2}\n")
    assert changes == {
        "google_compute_instance_template.nodes-prepare_template": "create",
        "google_compute_instance_group_manager.nodes-prepare_group": "create",
        'google_compute_per_instance_config.nodes-prepare_group_node["life-prepare-0"]': "create",
        'google_compute_per_instance_config.nodes-prepare_group_node["life-prepare-1"]': "create",
        "terraform_data.nodes-prepare_group_arrival": "create",
    }


def test_the_first_gpus_touch_nothing_that_is_there(change: Change) -> None:
    before = GROUPS.partition("  - {name: compute")[0]
    assert set(change(before, GROUPS).values()) == {"create"}


def test_the_order_of_groups_means_nothing(change: Change) -> None:
    *head, login, compute = GROUPS.splitlines()
    assert change(GROUPS, "\n".join([*head, compute, login, ""])) == {}


NODES = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-b
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-4, count: 2}
files: [{source: ./one, destination: /opt/input}]
storage: {volumes: [{name: data, kind: bucket, bucket: life-data, mount: /mnt/data}]}
startup_script: {inline: "#!/bin/sh\\nexit 0\\n"}
"""


def test_another_content_of_files_touches_no_machine(change: Change, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    changes = change(NODES, NODES.replace("./one", "./two"))
    assert set(changes) == {
        'google_storage_bucket_object.files["opt/input/a.txt"]',
        "google_storage_bucket_object.files_manifest",
    }


def test_another_script_replaces_nothing_that_runs(change: Change, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.txt").write_text("x")
    changes = change(NODES, NODES.replace("exit 0", "exit 1"))
    assert changes == {
        "google_compute_instance_template.template": "replace",
        "google_compute_instance_group_manager.group": "update",
    }


RUNS = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-b
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-4, count: 2}
storage: {volumes: [{name: results, kind: bucket, bucket: life-results}]}
bootstrap: {mpi: {run: {name: app, command: [app], files: [{source: ./one, destination: /opt/input}]}}}
"""


def test_another_run_touches_no_machine(change: Change, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    changes = change(RUNS, RUNS.replace("./one", "./two"))
    assert set(changes) == {
        'google_storage_bucket_object.files["opt/input/a.txt"]',
        "google_storage_bucket_object.files_run-mpi",
        "google_storage_bucket_object.files_manifest",
    }


def test_another_container_is_another_template_and_touches_no_node_that_runs(change: Change) -> None:
    nodes = NODES.partition("files:")[0]
    container = "container: {image: nvcr.io/nvidia/pytorch:26.08-py3, args: [one]}\n"
    expected = {
        "google_compute_instance_template.template": "replace",
        "google_compute_instance_group_manager.group": "update",
    }
    assert change(nodes, nodes + container) == expected
    assert change(nodes + container, nodes + container.replace("one", "two")) == expected


def test_a_parallelstore_of_another_size_takes_two_applies(change: Change) -> None:
    """Templates are made before old ones go, and so is what they name: in one apply the name is taken."""
    without = NODES.partition("files:")[0].replace("2}", "2, image: {project: my-gpu-project, name: daos}}")
    volume = "{name: fast, kind: parallelstore, mount: /fast, size_gb: 16000, deletion_protection: false}"
    storage = f"storage: {{may_lose: [fast], volumes: [{volume}]}}\n"
    instance = "google_parallelstore_instance.volumes_parallelstore-fast"
    assert change(without + storage.replace("16000", "12000"), without)[instance] == "delete"
    assert change(without, without + storage)[instance] == "create"


def test_a_netapp_in_another_zone_is_another_one_beside_the_old(change: Change) -> None:
    """Both are there for a while, as templates are made before old ones go."""
    volume = "{name: eda, kind: netapp, mount: /eda, tier: flex, deletion_protection: false}"
    before = NODES.partition("files:")[0] + f"storage: {{may_lose: [eda], volumes: [{volume}]}}\n"
    changes = change(before, before.replace("tier: flex", "tier: flex, zone: us-central1-c"))
    assert {address: what for address, what in changes.items() if "netapp" in address} == {
        "google_netapp_storage_pool.volumes_netapp-eda_pool": "replace",
        "google_netapp_volume.volumes_netapp-eda": "replace",
    }
