"""Clusters with google 6.50.0 or azurerm 4.55.0, and their first plan with a later version, by Terraform."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lives import Life
from support import Run

from clusterprint.exit_codes import Code
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


def synthesized(clusterprint: Run, folder: Path, text: str, name: str = "life-cluster") -> Path:
    (folder / "life.yaml").write_text(text)
    done = clusterprint("synth", folder / "life.yaml", "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder / "out" / "stacks" / name


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The settings, by dotted path, without new ones of the provider that are empty at first."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from leaves(inner, f"{path}.{step}".removeprefix("."))
    if value and not isinstance(value, dict | list):
        yield path, value


def changed(change: dict[str, Any]) -> dict[str, Any]:
    """The settings of a planned change."""
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
    # What has kept data in the place of policies is not needed any more.
    over = [each for each in changes if each["change"]["actions"] == ["delete"]]
    assert [each["address"] for each in over] == ['terraform_data.kept_data["netapp_eda"]']
    changes = [each for each in changes if each not in over]
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


def test_what_the_older_provider_would_let_go_stays_until_two_places_have_said_so(
    clusterprint: Run, tmp_path: Path, world: World
) -> None:
    eda = "    - {name: eda, kind: netapp, size_gb: 2048}\n"
    without = OLD.replace(eda, "")
    refused = world.apply(synthesized(clusterprint, tmp_path, without), check=False)
    assert "keep-data: eda is not deleted" in " ".join(refused.stderr.split())
    assert world.resources("google_netapp_volume")

    said = eda.replace("2048}", "2048, deletion_protection: false}")
    both = OLD.replace(eda, said).replace("storage:\n", "storage:\n  may_lose: [eda]\n")
    world.apply(synthesized(clusterprint, tmp_path, both))
    stack = synthesized(clusterprint, tmp_path, without)
    world.apply(stack)
    assert not world.resources("google_netapp_volume", "google_netapp_storage_pool")
    assert world.changes(stack) == {}


MACHINES = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
terraform: {google_provider: 6.50.0}
nodes: {machine_type: a2-highgpu-1g, count: 1}
"""
VOLUMES = """\
storage:
  volumes:
    - {name: scratch, kind: lustre, mount: /scratch, size_gb: 36000}
    - {name: weights, kind: disk, mount: /weights, access: read_only, snapshot: llama-weights, size_gb: 500}
"""


def test_volumes_of_machines_stay_even_without_any_entry(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "life.yaml"
    blueprint.write_text(MACHINES + VOLUMES)
    life.run("up", blueprint, "--yes")
    blueprint.write_text(MACHINES)
    said = life.run("up", blueprint, "--yes", expect=Code.FAILED)
    assert "apply failed: data kept" in said
    for name in ("scratch", "weights"):
        assert f"keep-data: {name} is not deleted" in said
    life.run("down", blueprint, "--yes")
    left = {one.type for one in life.made()}
    assert {"google_compute_disk", "google_lustre_instance"} <= left
    assert "google_compute_firewall" not in left, "no data needs it"
    assert "everything is gone" in life.run("down", blueprint, "--yes", "--include-data")
    assert {one.type for one in life.made()} <= {"google_project_service"}


AZURE = """\
clusterprint: v1
kind: vmss
name: life
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {gcs: {bucket: my-terraform-state}}
nodes: {size: Standard_NC24ads_A100_v4, count: 2}
admin:
  ssh_public_key: {inline: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY}
head_node: {ssh_source_ranges: [203.0.113.0/24]}
storage: {volumes: [{name: shared, kind: azure_files, mount: /shared}]}
"""


def test_azurerm_5_replaces_nothing(clusterprint: Run, tmp_path: Path) -> None:
    """The arguments that it has renamed are set by their new names; 5.10.0 is simulated as 5.2.0."""
    with World("my-terraform-state") as world:
        for version in ("4.55.0", "5.10.0"):
            text = f"{AZURE}terraform: {{azurerm_provider: {version}}}\n"
            stack = synthesized(clusterprint, tmp_path, text, "life")
            if version == "4.55.0":
                world.apply(stack)
        changes = world.plan(stack)["resource_changes"]
        found = {
            each["address"]: each["change"] for each in changes if each["change"]["actions"] != ["no-op"]
        }
        assert {address.partition(".")[0]: one["actions"] for address, one in found.items()} == {
            "azurerm_orchestrated_virtual_machine_scale_set": ["update"],
            "azurerm_subnet": ["update"],
        }
        assert {path for one in found.values() for path in changed(one)} == {
            "network_interface.0.accelerated_networking_enabled",
            "service_endpoint.0.service",
        }
