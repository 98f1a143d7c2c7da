"""What a change of the groups of a cluster of `kind: vm` does to what runs, by real Terraform."""

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
    }


def test_the_first_gpus_touch_nothing_that_is_there(change: Change) -> None:
    before = GROUPS.partition("  - {name: compute")[0]
    assert set(change(before, GROUPS).values()) == {"create"}


def test_the_order_of_groups_means_nothing(change: Change) -> None:
    *head, login, compute = GROUPS.splitlines()
    assert change(GROUPS, "\n".join([*head, compute, login, ""])) == {}
