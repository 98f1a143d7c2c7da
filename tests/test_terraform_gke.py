"""Effects of changed blueprints on a running GKE cluster: real Terraform, simulated cloud."""

from pathlib import Path

import pytest
from support import Change, Run

from clusterprint_simcloud import Fault, World

pytestmark = pytest.mark.terraform

CLUSTER = """\
clusterprint: v1
kind: gke
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools:
  - {name: workers, machine_type: n2-standard-8, count: 2}
  - {name: queue, machine_type: c3-standard-22, autoscaling: {max: 4}, capacity: {model: spot}}
  - {name: slices, machine_type: ct5p-hightpu-4t, tpu: {topology: 2x2x2}, capacity: {model: spot}}
"""

POOL = "google_container_node_pool.pool-{}".format


@pytest.fixture
def changed(change: Change) -> Change:
    """The effects of replacing a text in the blueprint of a running cluster."""

    def run(old: str, new: str, before: str = CLUSTER) -> dict[str, str]:
        assert old in before
        return change(before, before.replace(old, new), "life-cluster")

    return run


def test_a_resize_touches_one_pool_and_replaces_nothing(changed: Change) -> None:
    assert changed("count: 2", "count: 5") == {POOL("workers"): "update"}


def test_other_limits_of_a_pool_replace_nothing(changed: Change) -> None:
    assert changed("{max: 4}", "{min: 1, max: 9}") == {POOL("queue"): "update"}


def test_another_machine_type_touches_one_pool(changed: Change) -> None:
    changes = changed("n2-standard-8", "n2-standard-16")
    assert changes.keys() == {POOL("workers")}


def test_another_name_is_another_pool(changed: Change) -> None:
    assert changed("name: workers", "name: others") == {
        POOL("workers"): "delete",
        POOL("others"): "create",
    }


def test_more_slices_leave_those_that_are_there(changed: Change) -> None:
    two = CLUSTER.replace("2x2x2}", "2x2x2, slices: 2}")
    assert changed("slices: 2", "slices: 3", two) == {POOL("slices-2"): "create"}


def test_pools_with_gpu_networks_come_later_and_nothing_is_replaced(changed: Change) -> None:
    gpus = "node_pools:\n  - {name: h100, machine_type: a3-megagpu-8g, count: 2}\n"
    changes = changed("node_pools:\n", gpus)
    kinds = {kind for address, kind in changes.items() if address != "google_container_cluster.cluster"}
    assert kinds == {"create"}
    assert changes["google_container_cluster.cluster"] == "update"
    assert changes["google_compute_network.gpu-7"] == "create"


def test_a_compute_class_marks_its_pools_in_place(changed: Change) -> None:
    changes = changed("node_pools:\n", "compute_classes: [{name: batch, prefer: [queue]}]\nnode_pools:\n")
    assert changes == {POOL("queue"): "update"}


def test_labels_replace_nothing(changed: Change) -> None:
    changes = changed("node_pools:\n", "labels: {team: ml}\nnode_pools:\n")
    assert set(changes.values()) == {"update"}


def test_add_ons_and_channels_are_changed_in_place(changed: Change) -> None:
    changes = changed(
        "node_pools:\n", "cluster: {release_channel: stable, addons: {ray: true}}\nnode_pools:\n"
    )
    assert changes == {"google_container_cluster.cluster": "update"}


def test_checkpoints_in_memory_come_and_go_in_place(change: Change) -> None:
    """Nodes that are there get their label, and the cluster its add-on; without a word, that stays."""
    volume = "storage: {volumes: [{name: ckpt, kind: bucket, hierarchical_namespace: true}]}\n"
    plain = CLUSTER + volume
    kept = plain + "workloads: {checkpoints: {volume: ckpt, memory_gb: 64}}\n"
    there = "google_container_cluster.cluster"
    right = "google_storage_bucket_iam_member.identity_gke-managed-checkpointing_{}_bucket-life-ckpt".format(
        "gke-checkpointing-multitier-node"
    )
    assert change(plain, kept, "life-cluster") == {there: "update", POOL("slices"): "update", right: "create"}
    off = plain + "cluster: {addons: {multi_tier_checkpointing: false}}\n"
    # The provider leaves the last label of nodes where it is: nothing looks for it any more.
    assert change(kept, plain, "life-cluster") == {right: "delete"}
    assert change(kept, off, "life-cluster") == {there: "update", right: "delete"}


def test_a_pool_that_got_no_machines_is_made_anew_and_nothing_else(clusterprint: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "life.yaml", tmp_path / "out"
    file.write_text(CLUSTER)
    assert clusterprint("synth", file, "--out", out).returncode == 0
    folder = out / "stacks" / "life-cluster"
    with World("my-terraform-state") as world:
        stockout = (
            "Google Compute Engine: Not all instances running in IGM after 2h. ZONE_RESOURCE_POOL_EXHAUSTED"
        )
        world.faults(
            Fault("create", "google_container_node_pool", match="slices", error=stockout, after=True)
        )
        assert "ZONE_RESOURCE_POOL_EXHAUSTED" in world.apply(folder, check=False).stderr
        assert world.changes(folder) == {POOL("slices"): "replace"}
        world.apply(folder)
        assert world.changes(folder) == {}


def test_another_script_of_nodes_is_another_object_and_the_pool_stays(changed: Change) -> None:
    before = CLUSTER.replace("count: 2}", 'count: 2, system: {init_script: {inline: "echo one\\n"}}}')
    changes = changed("echo one", "echo two", before)
    assert changes == {
        "google_storage_bucket_object.init_pool-workers": "replace",
        POOL("workers"): "update",
    }


def test_a_parallelstore_of_another_size_is_another_empty_one(change: Change) -> None:
    head = CLUSTER.partition("  - {name: queue")[0]
    volume = "{name: fast, kind: parallelstore, size_gb: 12000, deletion_protection: false}"
    before = f"{head}storage: {{may_lose: [fast], volumes: [{volume}]}}\n"
    changes = change(before, before.replace("12000", "16000"), "life-cluster")
    assert changes == {"google_parallelstore_instance.volumes_parallelstore-fast": "replace"}
