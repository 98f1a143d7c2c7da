"""Values known before an apply, in the form of the providers; `test_real_plans.py` has all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud import Record, World
from clusterprint_simcloud.values import UNKNOWN
from clusterprint_simcloud.world import binary

if TYPE_CHECKING:
    from conftest import Api, Stack

CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform"


def test_what_follows_from_the_name_of_an_account_is_known(api: Api) -> None:
    planned = api.plan("google_service_account", {"account_id": "nodes-of-mine"}).state
    assert planned["email"] == "nodes-of-mine@my-project.iam.gserviceaccount.com"
    assert planned["member"] == f"serviceAccount:{planned['email']}"
    assert planned["unique_id"] is UNKNOWN
    elsewhere = api.plan("google_service_account", {"account_id": "nodes-of-mine", "project": UNKNOWN}).state
    assert elsewhere["email"] is UNKNOWN


def test_a_region_that_the_cloud_fills_in_is_not_invented(api: Api) -> None:
    network = api.create("google_compute_network", name="net", auto_create_subnetworks=False)
    wanted = {"name": "sub", "network": network.id, "ip_cidr_range": "10.0.0.0/24"}
    planned = api.plan("google_compute_subnetwork", wanted).state
    assert planned["region"] is UNKNOWN
    assert planned["project"] == "my-project"
    made = api.create("google_compute_subnetwork", **wanted)
    assert made.state["region"] == "us-central1"
    assert made.id == "projects/my-project/regions/us-central1/subnetworks/sub"
    assert api.plan("google_compute_subnetwork", {}, made.state).state == made.state


def test_scopes_are_written_out(api: Api) -> None:
    account = {"email": "default", "scopes": ["cloud-platform", "storage-ro", CLOUD_PLATFORM]}
    planned = api.plan("google_compute_instance_template", {"service_account": [account]}).state
    assert planned["service_account"][0]["scopes"] == [
        CLOUD_PLATFORM,
        "https://www.googleapis.com/auth/devstorage.read_only",
        CLOUD_PLATFORM,
    ]


def test_nothing_in_a_set_is_null(api: Api) -> None:
    firewall = {"name": "fw", "network": "net", "allow": [{"protocol": "icmp"}]}
    assert api.plan("google_compute_firewall", firewall).state["allow"] == [{"protocol": "icmp", "ports": []}]


def test_a_list_is_unknown_as_soon_as_an_element_is(api: Api) -> None:
    template = {"machine_type": "e2-small", "resource_policies": [UNKNOWN]}
    assert api.plan("google_compute_instance_template", template).state["resource_policies"] is UNKNOWN


def test_blocks_that_the_api_server_fills_in_are_unknown_and_then_stay(k8s: Api) -> None:
    pods = {"match_labels": {"a": "b"}}
    template = {"metadata": [{"labels": {"a": "b"}}], "spec": [{"container": [{"name": "c", "image": "i"}]}]}
    wanted = {
        "metadata": [{"name": "d", "namespace": "default"}],
        "spec": [{"selector": [pods], "template": [template]}],
    }
    planned = k8s.plan("kubernetes_deployment_v1", wanted).state["spec"][0]
    assert planned["strategy"] is UNKNOWN
    assert planned["template"][0]["spec"][0]["container"][0]["resources"] is UNKNOWN
    made = k8s.create("kubernetes_deployment_v1", **wanted)
    assert made.state["spec"][0]["strategy"][0]["type"] == "RollingUpdate"
    assert k8s.plan("kubernetes_deployment_v1", {}, made.state).state == made.state


def test_a_release_says_that_it_will_be_deployed(helm: Api, tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("name: own\nversion: 1.2.3\n", "utf-8")
    planned = helm.plan("helm_release", {"name": "own", "chart": str(tmp_path)}).state
    assert (planned["status"], planned["version"]) == ("deployed", "1.2.3")
    assert planned["manifest"] is None
    assert planned["metadata"] is UNKNOWN


def test_a_cluster_says_only_what_is_private(api: Api) -> None:
    private = {"enable_private_nodes": True, "enable_private_endpoint": False}
    planned = api.plan("google_container_cluster", {"name": "c", "private_cluster_config": [private]}).state
    assert planned["private_cluster_config"][0]["enable_private_nodes"] is True
    assert planned["private_cluster_config"][0]["enable_private_endpoint"] is None


def _stack(folder: Path, version: str) -> Path:
    network = {"name": "net", "auto_create_subnetworks": False}
    subnetwork = {
        "name": "sub", "network": "${google_compute_network.net.id}", "ip_cidr_range": "10.0.0.0/24",
        "region": "us-central1",
    }  # fmt: skip
    document = {
        "terraform": {"required_providers": {"google": {"source": "hashicorp/google", "version": version}}},
        "provider": {"google": {"project": "my-project"}},
        "resource": {
            "google_compute_network": {"net": network},
            "google_compute_subnetwork": {"sub": subnetwork},
        },
    }
    folder.mkdir(exist_ok=True)
    (folder / "cdk.tf.json").write_text(json.dumps(document), "utf-8")
    return folder


@pytest.mark.terraform
@pytest.mark.parametrize("mode", ["reattach", "mirror"])
def test_a_newer_provider_changes_what_an_older_one_made_in_place(tmp_path: Path, mode: Any) -> None:
    with World(folder=tmp_path / "world", mode=mode) as world:
        folder = _stack(tmp_path / "stack", "6.50.0")
        world.apply(folder)
        assert world.changes(folder) == {}
        assert "deletion_policy" not in _only(world, "google_compute_network").state
        _stack(folder, "7.45.0")
        world.terraform(folder, "init", "-upgrade")
        plan = world.plan(folder)
        for change in plan["resource_changes"]:
            before, after = change["change"]["before"], change["change"]["after"]
            assert change["change"]["actions"] == ["update"]
            # A new argument that is false by default is no change.
            changed = {name for name in after if after[name] != before[name] and after[name]}
            assert changed == {"deletion_policy"}
            assert after["deletion_policy"] == "DELETE"
        world.apply(folder)
        assert world.changes(folder) == {}


@pytest.mark.terraform
def test_the_deletion_policy_in_the_state_decides(world: World, stack: Stack) -> None:
    """Also where the configuration has lost the resource, with whatever it said of it."""
    disk = {"name": "d", "zone": "us-central1-a", "size": 10}
    folder = stack({"google_compute_disk": {"d": disk | {"deletion_policy": "PREVENT"}}})
    world.apply(folder)
    refused = world.apply(stack({}), check=False)
    assert 'cannot destroy ComputeDisk without setting deletion_policy="DELETE"' in refused.stderr
    assert _only(world, "google_compute_disk").state["name"] == "d"
    world.apply(stack({"google_compute_disk": {"d": disk | {"deletion_policy": "ABANDON"}}}))
    world.apply(stack({}))
    assert world.changes(folder) == {}
    assert _only(world, "google_compute_disk").state["name"] == "d"


@pytest.mark.terraform
def test_what_protects_in_the_state_alone_is_taken_off_there(world: World, stack: Stack) -> None:
    """No cloud knows of it: a destroy that reads everything anew finds what the state says."""
    disk = {"name": "d", "zone": "us-central1-a", "size": 10, "deletion_policy": "PREVENT"}
    pool = {
        "name": "p", "zone": "us-central1-a", "storage_pool_type": "hyperdisk-throughput",
        "pool_provisioned_capacity_gb": "10240", "pool_provisioned_throughput": "100",
    }  # fmt: skip
    folder = stack({"google_compute_disk": {"d": disk}, "google_compute_storage_pool": {"p": pool}})
    world.apply(folder)
    refused = world.destroy(folder, check=False)
    for argument in ('deletion_policy="DELETE"', "deletion_protection=false"):
        assert f"without setting {argument}" in refused.stderr
    terraform = str(binary())
    state = json.loads(world.run(terraform, "state", "pull", folder=folder).stdout)
    state["serial"] += 1
    for each in state["resources"]:
        attributes = each["instances"][0]["attributes"]
        attributes |= {"deletion_policy": "DELETE"}
        attributes |= {"deletion_protection": False} if "deletion_protection" in attributes else {}
    (folder / "next.tfstate").write_text(json.dumps(state), "utf-8")
    world.run(terraform, "state", "push", "next.tfstate", folder=folder)
    world.destroy(folder)
    assert world.resources("google_compute_disk", "google_compute_storage_pool") == []


def _only(world: World, kind: str) -> Record:
    (found,) = world.resources(kind)
    return found
