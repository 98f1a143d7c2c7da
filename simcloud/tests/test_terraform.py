"""Real Terraform against the simulated cloud, from init to destroy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud import World

if TYPE_CHECKING:
    from conftest import Stack

pytestmark = pytest.mark.terraform


def cluster() -> dict[str, Any]:
    """Every type that the `vm` kind of cluster uses."""
    compute = {"depends_on": ["google_project_service.compute"]}
    services = ("compute", "iam", "cloudresourcemanager")
    subnetwork = "${google_compute_subnetwork.main.self_link}"
    group = "${google_compute_instance_group_manager.nodes.name}"
    named = {"instance_group_manager": group, "remove_instance_on_destroy": True}
    enabled = {"depends_on": ["google_project_service.iam", "google_project_service.cloudresourcemanager"]}
    image = "${data.google_compute_image.os.self_link}"
    template = {
        "machine_type": "a2-highgpu-2g",
        "labels": {"team": "ml"},
        "metadata": {"enable-oslogin": "TRUE"},
        "disk": [{"source_image": image, "boot": True, "disk_type": "pd-ssd", "disk_size_gb": 200}],
        "network_interface": [{"subnetwork": subnetwork}],
        "service_account": [{"email": "${google_service_account.nodes.email}", "scopes": ["cloud-platform"]}],
        "scheduling": [{"on_host_maintenance": "TERMINATE"}],
        "lifecycle": {"create_before_destroy": True},
    }
    return {
        "google_project_service": {
            name: {"service": f"{name}.googleapis.com", "disable_on_destroy": False} for name in services
        },
        "google_compute_network": {"main": {"name": "spani", "auto_create_subnetworks": False, **compute}},
        "google_compute_subnetwork": {
            "main": {
                "name": "spani",
                "network": "${google_compute_network.main.id}",
                "ip_cidr_range": "10.0.0.0/24",
            }
        },
        "google_compute_firewall": {
            "ssh": {
                "name": "spani-ssh",
                "network": "${google_compute_network.main.name}",
                "allow": [{"protocol": "tcp", "ports": ["22"]}],
                "source_ranges": ["35.235.240.0/20"],
            }
        },
        "google_compute_router": {"main": {"name": "spani", "network": "${google_compute_network.main.id}"}},
        "google_compute_router_nat": {
            "main": {
                "name": "spani",
                "router": "${google_compute_router.main.name}",
                "nat_ip_allocate_option": "AUTO_ONLY",
                "source_subnetwork_ip_ranges_to_nat": "ALL_SUBNETWORKS_ALL_IP_RANGES",
            }
        },
        "google_service_account": {"nodes": {"account_id": "spani-nodes", **enabled}},
        "google_project_iam_member": {
            "logs": {
                "project": "my-project",
                "role": "roles/logging.logWriter",
                "member": "${google_service_account.nodes.member}",
            }
        },
        "google_storage_bucket": {
            "data": {"name": "spani-data", "location": "US", "uniform_bucket_level_access": True}
        },
        "google_storage_bucket_iam_member": {
            "nodes": {
                "bucket": "${google_storage_bucket.data.name}",
                "role": "roles/storage.objectUser",
                "member": "${google_service_account.nodes.member}",
            }
        },
        "google_storage_bucket_object": {
            "script": {
                "bucket": "${google_storage_bucket.data.name}",
                "name": "a.sh",
                "content": "echo hello",
            }
        },
        "google_compute_resource_policy": {
            "compact": {"name": "spani", "group_placement_policy": [{"collocation": "COLLOCATED"}], **compute}
        },
        "google_compute_instance_template": {"nodes": {"name_prefix": "spani-", **template}},
        "google_compute_region_instance_template": {
            "nodes": {"name_prefix": "spani-", **template, "lifecycle": {"create_before_destroy": True}}
        },
        "google_compute_instance_group_manager": {
            "nodes": {
                "name": "spani",
                "base_instance_name": "spani",
                "version": [
                    {"instance_template": "${google_compute_instance_template.nodes.self_link_unique}"}
                ],
            },
            "flex": {
                "name": "spani-flex",
                "base_instance_name": "spani-flex",
                "version": [
                    {"instance_template": "${google_compute_region_instance_template.nodes.self_link}"}
                ],
                "instance_lifecycle_policy": [{"default_action_on_failure": "DO_NOTHING"}],
            },
        },
        "google_compute_per_instance_config": {
            "first": {"name": "spani-0", **named},
            "second": {"name": "spani-1", **named},
        },
        "google_compute_resize_request": {
            "flex": {
                "name": "spani-flex",
                "instance_group_manager": "${google_compute_instance_group_manager.flex.name}",
                "resize_by": 2,
            }
        },
        "google_compute_address": {"login": {"name": "spani-login", **compute}},
        "google_compute_disk": {
            "scratch": {"name": "spani-scratch", "size": 100, "type": "pd-ssd", **compute}
        },
        "google_compute_instance": {
            "login": {
                "name": "spani-login",
                "machine_type": "e2-small",
                "boot_disk": [{"initialize_params": [{"image": image}]}],
                "network_interface": [
                    {
                        "subnetwork": subnetwork,
                        "access_config": [{"nat_ip": "${google_compute_address.login.address}"}],
                    }
                ],
                "attached_disk": [{"source": "${google_compute_disk.scratch.self_link}"}],
            }
        },
    }


DATA = {
    "google_compute_image": {"os": {"family": "rocky-linux-8-optimized-gcp", "project": "rocky-linux-cloud"}},
    "google_project": {"this": {}},
    "google_compute_network": {"default": {"name": "default"}},
    "google_compute_subnetwork": {"default": {"name": "default"}},
}
OUTPUT = {
    "login": {"value": "${google_compute_instance.login.network_interface.0.network_ip}"},
    "number": {"value": "${data.google_project.this.number}"},
}


def live(world: World, folder: Path) -> None:
    """Init, validate, plan, apply, plan nothing, destroy, nothing left."""
    world.terraform(folder, "init")
    world.terraform(folder, "validate")
    assert set(world.changes(folder).values()) == {"create"}
    world.apply(folder)
    assert world.changes(folder) == {}
    outputs = json.loads(world.terraform(folder, "output", "-json").stdout)
    assert outputs["login"]["value"].startswith("10.0.0.")
    assert len(world.resources("google_compute_instance")) == 5
    world.destroy(folder)
    assert world.resources() == []
    assert world.storage.store.names("terraform-state") == ["tests/stack/default.tfstate"]


def test_a_whole_life(world: World, stack: Stack) -> None:
    live(world, stack(cluster(), data=DATA, output=OUTPUT))


@pytest.mark.slow
def test_a_whole_life_with_spawned_providers(mirrored: World, stack: Stack) -> None:
    folder = stack(cluster(), data=DATA, output=OUTPUT)
    live(mirrored, folder)
    assert "hashicorp/google" in (folder / ".terraform.lock.hcl").read_text()


@pytest.mark.slow
def test_another_provider_version_is_not_there(mirrored: World, stack: Stack) -> None:
    google = {"source": "hashicorp/google", "version": "7.0.0"}
    folder = stack({}, terraform={"required_providers": {"google": google}})
    done = mirrored.terraform(folder, "init", check=False)
    assert done.returncode
    assert "no available releases match" in done.stderr


def network(**more: Any) -> dict[str, Any]:
    return {"google_compute_network": {"main": {"name": "net", "auto_create_subnetworks": False, **more}}}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"auto_create_subnetwork": False}, 'No argument or block type is named "auto_create_subnetwork"'),
        ({"mtu": "large"}, "a number is required"),
        ({"name": "Has_Capitals"}, "doesn't match regexp"),
        ({"params": [{}, {}]}, 'No more than 1 "params" blocks are allowed'),
    ],
)
def test_validate_finds(world: World, stack: Stack, arguments: dict[str, Any], message: str) -> None:
    done = world.terraform(stack(network(**arguments)), "validate", check=False)
    assert done.returncode == 1
    assert message in " ".join(done.stderr.split())


def test_validate_finds_what_is_missing_and_what_conflicts(world: World, stack: Stack) -> None:
    firewall = {"name": "f", "source_tags": ["a"], "target_service_accounts": ["b"], "source_ranges": []}
    done = world.terraform(stack({"google_compute_firewall": {"f": firewall}}), "validate", check=False)
    assert 'The argument "network" is required' in done.stderr
    firewall["network"] = "default"
    done = world.terraform(stack({"google_compute_firewall": {"f": firewall}}), "validate", check=False)
    assert "Conflicting configuration arguments" in done.stderr
    assert "one of `allow,deny` must be specified" in done.stderr


def test_replacement_and_update_are_told_apart(world: World, stack: Stack) -> None:
    def resources(name: str, cidr: str) -> dict[str, Any]:
        main = {"name": name, "network": "${google_compute_network.main.id}", "ip_cidr_range": cidr}
        return {**network(), "google_compute_subnetwork": {"main": main}}

    world.apply(stack(resources("one", "10.0.0.0/24")))
    assert world.changes(stack(resources("two", "10.0.0.0/24"))) == {
        "google_compute_subnetwork.main": "replace"
    }
    assert world.changes(stack(resources("one", "10.0.0.0/23"))) == {
        "google_compute_subnetwork.main": "update"
    }
    plan = world.plan(stack(resources("two", "10.0.0.0/24")))
    (change,) = [one for one in plan["resource_changes"] if one["address"].endswith("subnetwork.main")]
    assert change["change"]["replace_paths"] == [["name"]]
    world.apply(stack(resources("one", "10.0.0.0/23")))
    assert world.resources("google_compute_subnetwork")[0].state["ip_cidr_range"] == "10.0.0.0/23"


def test_a_new_template_replaces_the_old_one_under_a_group(world: World, stack: Stack) -> None:
    resources = cluster()
    world.apply(stack(resources, data=DATA))
    resources["google_compute_instance_template"]["nodes"]["machine_type"] = "a2-highgpu-4g"
    folder = stack(resources, data=DATA)
    assert world.changes(folder) == {
        "google_compute_instance_template.nodes": "replace",
        "google_compute_instance_group_manager.nodes": "update",
    }
    world.apply(folder)
    assert world.changes(folder) == {}
    assert len(world.resources("google_compute_instance_template")) == 1


def test_a_size_beside_named_instances_is_never_at_rest(world: World, stack: Stack) -> None:
    """The trap of google_compute_per_instance_config: its instances count."""
    resources = cluster()
    resources["google_compute_instance_group_manager"]["nodes"]["target_size"] = 0
    folder = stack(resources, data=DATA)
    world.apply(folder)
    assert world.changes(folder) == {"google_compute_instance_group_manager.nodes": "update"}


def test_drift_is_seen_and_fixed(world: World, stack: Stack) -> None:
    folder = stack({**network(), "google_storage_bucket": {"b": {"name": "my-data", "location": "US"}}})
    world.apply(folder)
    with world.cloud.open() as contents:
        made = {one.type: one for one in contents.records.values() if not one.builtin}
        made["google_storage_bucket"].state["requester_pays"] = True
        contents.remove(made["google_compute_network"])
    assert world.changes(folder) == {
        "google_compute_network.main": "create",
        "google_storage_bucket.b": "update",
    }
    world.apply(folder)
    assert world.changes(folder) == {}


@pytest.mark.parametrize(
    "identity", ["projects/my-project/global/networks/net", "net", "my-project/global/networks/net"]
)
def test_import_takes_over_what_is_there(world: World, stack: Stack, identity: str) -> None:
    world.apply(stack(network(), name="first"))
    second = stack(network(), name="second")
    done = world.terraform(second, "apply", "-auto-approve", check=False)
    assert "alreadyExists" in done.stderr
    world.terraform(second, "import", "google_compute_network.main", identity)
    assert world.changes(second) == {}


def test_outputs_travel_between_stacks(world: World, stack: Stack) -> None:
    first = stack(network(), name="first", output={"network": {"value": "${google_compute_network.main.id}"}})
    state = {"backend": "gcs", "config": {"bucket": "terraform-state", "prefix": "tests/first"}}
    link = "${data.terraform_remote_state.first.outputs.network}"
    sub = {"name": "sub", "network": link, "ip_cidr_range": "10.0.0.0/24"}
    second = stack(
        {"google_compute_subnetwork": {"sub": sub}},
        name="second",
        data={"terraform_remote_state": {"first": state}},
    )
    world.apply(first)
    world.apply(second)
    done = world.destroy(first, check=False)
    assert "resourceInUseByAnotherResource" in done.stderr
    # The failed destroy has dropped the first stack's outputs, without which the second cannot be planned.
    assert "object with no attributes" in world.destroy(second, check=False).stderr
    world.apply(first)
    world.destroy(second)
    world.destroy(first)
    assert world.resources() == []


def test_what_is_only_named_can_be_assumed(world: World, stack: Stack) -> None:
    link = "projects/shared/regions/us-central1/subnetworks/there"
    member = "serviceAccount:there@shared.iam.gserviceaccount.com"
    grant = {"bucket": "there", "role": "roles/storage.objectViewer", "member": member}
    where = {"project": "shared", "location": "us", "repository": "there"}
    reader = {**where, "role": "roles/artifactregistry.reader", "member": member}
    boot = [{"initialize_params": [{"image": "debian-cloud/debian-12"}]}]
    vm = {
        "name": "vm",
        "machine_type": "e2-small",
        "boot_disk": boot,
        "network_interface": [{"subnetwork": link}],
    }
    folder = stack(
        {
            "google_storage_bucket_iam_member": {"there": grant},
            "google_artifact_registry_repository_iam_member": {"there": reader},
            "google_compute_instance": {"vm": vm},
        }
    )
    assert "cannot be found" in world.apply(folder, check=False).stderr
    assumed = {one.type for one in world.assume(folder)}
    kinds = {"google_compute_network", "google_compute_subnetwork", "google_storage_bucket"}
    assert assumed == {*kinds, "google_service_account", "google_artifact_registry_repository"}
    world.apply(folder)
    world.destroy(folder)
    assert world.resources() == []


def test_relative_paths_are_meant_from_the_stack(world: World, stack: Stack) -> None:
    item = {"bucket": "terraform-state", "name": "a", "source": "files/a.sh"}
    folder = stack({"google_storage_bucket_object": {"a": item}})
    (folder / "files").mkdir()
    (folder / "files" / "a.sh").write_text("echo one")
    world.apply(folder)
    assert world.changes(folder) == {}
    (folder / "files" / "a.sh").write_text("echo two")
    assert world.changes(folder) == {"google_storage_bucket_object.a": "update"}
    world.apply(folder)
    assert world.changes(folder) == {}


def test_types_that_are_not_simulated_are_said_to_be_unknown(world: World, stack: Stack) -> None:
    folder = stack({"google_pubsub_topic": {"t": {"name": "t"}}})
    done = world.terraform(folder, "validate", check=False)
    assert "google_pubsub_topic" in done.stderr
    assert "Invalid resource type" in done.stderr
