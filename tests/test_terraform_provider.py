"""What the first plan with provider google 7.45.0 does to what 6.50.0 has made, by real Terraform."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import Run

from clusterprint_simcloud import World

pytestmark = [pytest.mark.slow, pytest.mark.terraform]

OLD = """\
clusterprint: v1
kind: gke
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-b
backend: {gcs: {bucket: my-terraform-state}}
terraform: {google_provider: 6.50.0}
cluster: {maintenance: {daily_start: "03:00"}}
storage:
  volumes:
    - {name: home, kind: filestore}
    - {name: data, kind: bucket}
    - {name: eda, kind: netapp, size_gb: 2048}
node_pools:
  - {name: gpus, machine_type: a3-ultragpu-8g, capacity: {model: spot}, autoscaling: {max: 2}}
  - {name: cpus, machine_type: n2-standard-8, count: 1}
"""
NEW = OLD.replace("terraform: {google_provider: 6.50.0}\n", "")


def synthesized(clusterprint: Run, folder: Path, text: str) -> Path:
    (folder / "life.yaml").write_text(text)
    done = clusterprint("synth", folder / "life.yaml", "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder / "out" / "stacks" / "life-cluster"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """What is set, by dotted path: what is new in the provider, and nothing at first, is not."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from leaves(inner, f"{path}.{step}".removeprefix("."))
    if value and not isinstance(value, dict | list):
        yield path, value


def changed(change: dict[str, Any]) -> dict[str, Any]:
    """What a planned change sets."""
    return dict(set(leaves(change["after"])) - set(leaves(change["before"])))


@pytest.fixture
def world(clusterprint: Run, tmp_path: Path) -> Iterator[World]:
    with World("my-terraform-state") as made:
        stack = synthesized(clusterprint, tmp_path, OLD)
        made.apply(stack)
        assert made.changes(stack) == {}
        yield made


def test_nothing_is_replaced_and_only_policies_of_deletion_come(
    clusterprint: Run, tmp_path: Path, world: World
) -> None:
    stack = synthesized(clusterprint, tmp_path, NEW)
    changes = [each for each in world.plan(stack)["resource_changes"] if each["mode"] == "managed"]
    assert {tuple(each["change"]["actions"]) for each in changes} <= {("update",), ("no-op",)}
    policies = {each["address"]: changed(each["change"]) for each in changes}
    # Filestore's is a default that the older provider did not have.
    assert {name for each in policies.values() for name in each} == {
        "deletion_policy",
        "desired_replica_state",
    }
    kept = {address for address, each in policies.items() if each.get("deletion_policy") == "PREVENT"}
    assert kept == {
        "google_filestore_instance.volumes_filestore-home",
        "google_netapp_volume.volumes_netapp-eda",
        "google_storage_bucket.bucket-life-data",
    }
    world.carry_out(stack)
    assert world.changes(stack) == {}
    # And what is protected now is kept even if the blueprint loses it.
    without = NEW.partition("storage:")[0] + "node_pools:" + NEW.partition("node_pools:")[2]
    refused = world.apply(synthesized(clusterprint, tmp_path, without), check=False)
    assert refused.stderr.count('without setting deletion_policy="DELETE"') == 3
    kinds = ("google_filestore_instance", "google_netapp_volume", "google_storage_bucket")
    assert {each.type for each in world.resources(*kinds)} == {*kinds}
