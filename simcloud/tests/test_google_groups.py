"""Managed instance groups: what they keep, what they refuse, and what goes with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from google_parts import group, interface, names, network, subnetwork, template

from clusterprint_simcloud import gcloud
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, ApiError
from clusterprint_simcloud.google import group as groups

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

CONFIG = "google_compute_per_instance_config"


def policy(api: Api, name: str) -> Record:
    workload = [{"type": "HIGH_THROUGHPUT"}]
    return api.create(
        "google_compute_resource_policy", name=name, region="us-central1", workload_policy=workload
    )


def placed(api: Api, by: Record) -> Record:
    made_from = template(api, interface(subnetwork(api, network(api))))
    return group(api, made_from, resource_policies=[{"workload_policy": by.id}])


def node(api: Api, name: str = "node-0") -> Record:
    return api.create(CONFIG, name=name, instance_group_manager="group", remove_instance_on_destroy=True)


def test_a_group_with_instances_keeps_its_workload_policy(api: Api) -> None:
    made, other = placed(api, policy(api, "one")), policy(api, "other")
    config = node(api)
    with pytest.raises(ApiError, match="that has instances cannot be changed"):
        api.update(made, resource_policies=[{"workload_policy": other.id}])
    api.delete(config)
    changed = api.update(made, resource_policies=[{"workload_policy": other.id}])
    assert changed.state["resource_policies"] == [{"workload_policy": other.id}]


def test_a_policy_is_dropped_by_another_group(api: Api) -> None:
    made = placed(api, policy(api, "one"))
    assert api.plan(made.type, {"resource_policies": []}, made.state).replace == [("resource_policies",)]
    other = {"resource_policies": [{"workload_policy": policy(api, "other").id}]}
    assert api.plan(made.type, other, made.state).replace == []
    bare = group(
        api,
        template(api, interface(subnetwork(api, network(api, "n2"), "s2")), name="t2"),
        zone="us-central1-b",
    )
    assert api.plan(bare.type, other, bare.state).replace == []


def test_a_policy_in_use_stays(api: Api) -> None:
    by = policy(api, "one")
    placed(api, by)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(by)


def test_named_nodes_go_with_their_group(api: Api) -> None:
    made = group(api, template(api, interface(subnetwork(api, network(api)))))
    node(api)
    api.delete(made)
    assert (names(api, CONFIG), names(api, "google_compute_instance")) == ([], [])


def test_a_kept_disk_is_one_of_the_template(api: Api) -> None:
    made_from = template(api, interface(subnetwork(api, network(api))))
    with pytest.raises(ApiError, match="Stateful disk 'data' is not defined in instance template"):
        group(api, made_from, stateful_disk=[{"device_name": "data"}])
    kept = group(api, made_from, stateful_disk=[{"device_name": "persistent-disk-0"}])
    assert kept.state["stateful_disk"][0]["device_name"] == "persistent-disk-0"


@pytest.mark.parametrize("machine_type", ["h4d-highmem-192", "c3-standard-192-metal"])
def test_machines_that_cannot_move_are_stopped_for_maintenance(api: Api, machine_type: str) -> None:
    nic = interface(subnetwork(api, network(api)))
    with pytest.raises(ApiError, match="do not support live migration"):
        template(api, nic, machine_type=machine_type, scheduling=[{"on_host_maintenance": "MIGRATE"}])
    template(api, nic, machine_type=machine_type, scheduling=[{"on_host_maintenance": "TERMINATE"}])


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        ({"machine_type": "n2-standard-8"}, "SEV_SNP is not supported by n2-standard-8"),
        ({"min_cpu_platform": "AMD Rome"}, "needs the CPU platform AMD Milan"),
        ({"scheduling": [{"on_host_maintenance": "MIGRATE"}]}, "do not support live migration"),
    ],
)
def test_memory_is_encrypted_only_by_what_the_processors_have(
    api: Api, machine: dict[str, Any], message: str
) -> None:
    nic = interface(subnetwork(api, network(api)))
    sealed: dict[str, Any] = {
        "machine_type": "n2d-standard-8",
        "min_cpu_platform": "AMD Milan",
        "scheduling": [{"on_host_maintenance": "TERMINATE"}],
        "confidential_instance_config": [{"confidential_instance_type": "SEV_SNP"}],
        "disk_type": "pd-ssd",
    }
    with pytest.raises(ApiError, match=message):
        template(api, nic, **sealed | machine)
    template(api, nic, **sealed)


def test_machines_held_together_are_stopped_for_maintenance(api: Api) -> None:
    nic = interface(subnetwork(api, network(api)))
    compact = [{"collocation": "COLLOCATED"}]
    by = api.create(
        "google_compute_resource_policy", name="p", region="us-central1", group_placement_policy=compact
    )
    together: dict[str, Any] = {
        "machine_type": "c2-standard-60",
        "resource_policies": [by.id],
        "disk_type": "pd-ssd",
    }
    with pytest.raises(ApiError, match="with resource policies do not support live migration"):
        template(api, nic, **together, scheduling=[{"on_host_maintenance": "MIGRATE"}])
    template(api, nic, **together, scheduling=[{"on_host_maintenance": "TERMINATE"}])


def test_a_group_has_as_many_named_nodes_as_the_provider_reads(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "_PAGE", 2)
    group(api, template(api, interface(subnetwork(api, network(api)))))
    node(api, "node-0")
    node(api, "node-1")
    with pytest.raises(ApiError, match="was present, but now absent"):
        node(api, "node-2")


def test_a_group_without_machines_goes_on_trying(api: Api) -> None:
    made = group(api, template(api, interface(subnetwork(api, network(api)))))
    with api.cloud.open() as contents:
        contents.shortages["us-central1-a"] = "QUOTA_EXCEEDED"
    config = node(api)
    group_now = api.cloud.read().records[made.key].state
    assert (group_now["target_size"], group_now["status"][0]["is_stable"]) == (1, False)
    assert names(api, "google_compute_instance") == []
    api.delete(config)
    group_now = api.cloud.read().records[made.key].state
    assert (group_now["target_size"], group_now["status"][0]["is_stable"]) == (0, True)


def test_a_request_waits_for_machines(api: Api) -> None:
    nothing = [{"default_action_on_failure": "DO_NOTHING"}]
    made_from = template(api, interface(subnetwork(api, network(api))))
    group(api, made_from, instance_lifecycle_policy=nothing)
    with api.cloud.open() as contents:
        contents.shortages["us-central1-a"] = "ZONE_RESOURCE_POOL_EXHAUSTED"
    request = api.create(
        "google_compute_resize_request", instance_group_manager="group", resize_by=2, name="more"
    )
    assert (request.state["state"], names(api, "google_compute_instance")) == ("ACCEPTED", [])


@pytest.mark.parametrize(
    "command", ["compute images list", "compute instance-groups managed describe nowhere --zone=z"]
)
def test_the_simulated_gcloud_reaches_nothing_else(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CLOUD_VARIABLE, str(tmp_path))
    assert gcloud.main(command.split()) == 1
    assert capsys.readouterr().err.startswith("ERROR: (gcloud) ")


def test_h4d_has_one_interface_for_rdma_by_falcon(api: Api) -> None:
    profile = "projects/my-project/global/networkProfiles/us-central1-a-vpc-falcon"
    ordinary = interface(subnetwork(api, network(api, "net"), "sub", "10.0.0.0/24"), "GVNIC")
    fast = subnetwork(api, network(api, "falcon", network_profile=profile, mtu=8896), "fast", "10.9.0.0/24")
    falcon = interface(fast, "IRDMA")
    stopped = [{"on_host_maintenance": "TERMINATE"}]

    def made(nics: list[dict[str, Any]], machine_type: str = "h4d-standard-192") -> None:
        template(api, *nics, machine_type=machine_type, scheduling=stopped)

    with pytest.raises(ApiError, match="accepts interfaces of type IRDMA only, not MRDMA"):
        made([ordinary, interface(fast, "MRDMA")])
    with pytest.raises(ApiError, match="has one IRDMA network interface, not the first"):
        made([falcon, ordinary])
    with pytest.raises(ApiError, match="n2-standard-4 has no RDMA network interfaces"):
        made([ordinary, falcon], "n2-standard-4")
    made([ordinary, falcon])
