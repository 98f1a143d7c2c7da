"""The truths of Google Cloud that go beyond schemas: what the API would refuse, and what it would make."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

IMAGE = "projects/debian-cloud/global/images/family/debian-12"
ROCE = "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"


def network(api: Api, name: str = "net", **more: Any) -> Record:
    return api.create("google_compute_network", name=name, auto_create_subnetworks=False, **more)


def subnetwork(api: Api, net: Record, name: str = "sub", cidr: str = "10.0.0.0/24", **more: Any) -> Record:
    return api.create("google_compute_subnetwork", name=name, network=net.id, ip_cidr_range=cidr, **more)


def interface(sub: Record, kind: str | None = None) -> dict[str, Any]:
    return {"subnetwork": sub.state["self_link"], "nic_type": kind}


def template(api: Api, *interfaces: dict[str, Any], machine_type: str = "e2-small", **more: Any) -> Record:
    gpus = {"scheduling": [{"on_host_maintenance": "TERMINATE"}]} if machine_type.startswith("a") else {}
    return api.create(
        "google_compute_instance_template",
        name=more.pop("name", "template"),
        machine_type=machine_type,
        disk=[
            {"source_image": IMAGE, "boot": True, "disk_type": more.pop("disk_type", "hyperdisk-balanced")}
        ],
        network_interface=list(interfaces),
        **{**gpus, **more},
    )


def group(api: Api, made_from: Record, **more: Any) -> Record:
    version = [{"instance_template": made_from.state["self_link"]}]
    name = "google_compute_instance_group_manager"
    return api.create(name, name="group", base_instance_name="node", version=version, **more)


def names(api: Api, kind: str) -> list[str]:
    return sorted(one.state["name"] for one in api.cloud.read().of(kind) if not one.builtin)


# ---- names, references, deletes


def test_links_ids_and_names_mean_the_same_network(api: Api) -> None:
    net = network(api)
    for number, spelling in enumerate([net.id, net.state["self_link"], "net", "global/networks/net"]):
        made = api.create(
            "google_compute_subnetwork",
            name=f"sub{number}",
            network=spelling,
            ip_cidr_range=f"10.0.{number}.0/24",
        )
        assert made.references == [net.key]


def test_a_missing_network_is_refused(api: Api) -> None:
    with pytest.raises(
        ApiError, match=r"'resource.network': 'nowhere'. The referenced network resource cannot be found"
    ):
        api.create("google_compute_subnetwork", name="sub", network="nowhere", ip_cidr_range="10.0.0.0/24")


def test_a_name_is_given_once(api: Api) -> None:
    network(api)
    with pytest.raises(
        ApiError, match="Error 409: The resource 'projects/my-project/global/networks/net' already exists"
    ):
        network(api)


def test_a_network_in_use_stays(api: Api) -> None:
    net = network(api)
    sub = subnetwork(api, net)
    with pytest.raises(ApiError, match=r"already being used by '.*/sub', resourceInUseByAnotherResource"):
        api.delete(net)
    api.delete(sub)
    api.delete(net)
    assert names(api, "google_compute_network") == []


def test_a_template_in_use_stays(api: Api) -> None:
    made_from = template(api, interface(subnetwork(api, network(api))))
    group(api, made_from)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(made_from)


def test_a_health_check_in_use_stays(api: Api) -> None:
    check = api.create(
        "google_compute_health_check", name="ask", http_health_check=[{"port": 80, "request_path": "/"}]
    )
    assert check.state["type"] == "HTTP"
    made_from = template(api, interface(subnetwork(api, network(api))))
    group(api, made_from, auto_healing_policies=[{"health_check": check.id, "initial_delay_sec": 300}])
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(check)


def test_a_service_account_outlives_its_users(api: Api) -> None:
    account = api.create("google_service_account", account_id="worker")
    used = [{"email": account.state["email"], "scopes": ["cloud-platform"]}]
    made = template(api, interface(subnetwork(api, network(api))), service_account=used)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(account)
    api.delete(made)
    api.delete(account)


@pytest.mark.parametrize(
    "member",
    ["serviceAccount:nobody@my-project.iam.gserviceaccount.com", "nobody@my-project.iam.gserviceaccount.com"],
)
def test_members_must_exist(api: Api, member: str) -> None:
    with pytest.raises(ApiError, match=r"does not exist|Invalid member"):
        api.create("google_project_iam_member", project="my-project", role="roles/viewer", member=member)


@pytest.mark.parametrize(
    "member",
    [
        "user:somebody@example.com",
        "serviceAccount:service-1@compute-system.iam.gserviceaccount.com",
        "serviceAccount:other@another-project.iam.gserviceaccount.com",
        "serviceAccount:another-project.svc.id.goog[default/job]",
    ],
)
def test_members_that_cannot_be_known_are_believed(api: Api, member: str) -> None:
    api.create("google_project_iam_member", project="my-project", role="roles/viewer", member=member)


# ---- ranges and addresses


@pytest.mark.parametrize(
    ("cidr", "message"),
    [
        ("10.0.0.128/25", r"10.0.0.128/25 \(primary range\) conflicts with existing subnetwork 'sub'"),
        ("10.0.1.1/24", "Must be a valid CIDR range"),
        ("10.1.0.0/30", "smaller than /29"),
    ],
)
def test_ranges_that_do_not_fit(api: Api, cidr: str, message: str) -> None:
    net = network(api)
    subnetwork(api, net)
    with pytest.raises(ApiError, match=message):
        subnetwork(api, net, "other", cidr, region="europe-west4")


def test_secondary_ranges_count_too(api: Api) -> None:
    net = network(api)
    subnetwork(api, net, secondary_ip_range=[{"range_name": "pods", "ip_cidr_range": "10.4.0.0/14"}])
    with pytest.raises(ApiError, match="conflicts with existing subnetwork 'sub'"):
        subnetwork(api, net, "other", "10.5.0.0/24")


def test_another_network_may_use_the_same_range(api: Api) -> None:
    subnetwork(api, network(api))
    subnetwork(api, network(api, "net2"), "sub2")


def test_a_range_grows_in_place_and_is_replaced_otherwise(api: Api) -> None:
    sub = subnetwork(api, network(api), cidr="10.0.1.0/24")
    kind = "google_compute_subnetwork"
    assert api.plan(kind, {"ip_cidr_range": "10.0.0.0/23"}, sub.state).replace == []
    assert api.plan(kind, {"ip_cidr_range": "10.0.1.0/25"}, sub.state).replace == [("ip_cidr_range",)]
    assert api.plan(kind, {"ip_cidr_range": "10.9.0.0/24"}, sub.state).replace == [("ip_cidr_range",)]


def test_instances_get_addresses_from_their_subnetwork_until_it_is_full(api: Api) -> None:
    made_from = template(api, interface(subnetwork(api, network(api), cidr="10.7.0.0/29")))
    made = group(api, made_from, target_size=4)
    assert made.state["target_size"] == 4
    addresses = [one.state["network_interface"][0]["network_ip"] for one in api.cloud.read().owned_by(made)]
    assert sorted(addresses) == ["10.7.0.2", "10.7.0.3", "10.7.0.4", "10.7.0.5"]
    with pytest.raises(ApiError, match="IP_SPACE_EXHAUSTED"):
        api.update(made, target_size=5)


def test_an_address_is_reserved_and_held_by_its_instance(api: Api) -> None:
    sub = subnetwork(api, network(api))
    address = api.create("google_compute_address", name="ip", address_type="INTERNAL", subnetwork=sub.id)
    assert address.state["address"] == "10.0.0.2"
    wanted = {"subnetwork": sub.id, "network_ip": "10.0.0.2"}
    boot = [{"initialize_params": [{"image": IMAGE}]}]
    api.create(
        "google_compute_instance",
        name="vm",
        machine_type="e2-small",
        boot_disk=boot,
        network_interface=[wanted],
    )
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(address)


# ---- interfaces and machine types


def test_the_right_interfaces_for_tcpx(api: Api) -> None:
    subs = [subnetwork(api, network(api, f"net{n}"), f"sub{n}", f"10.{n}.0.0/24") for n in range(5)]
    template(api, *map(interface, subs), machine_type="a3-highgpu-8g")
    with pytest.raises(
        ApiError, match="a3-highgpu-8g has 5 ordinary and 0 RDMA network interfaces, not 4 and 0"
    ):
        template(api, *map(interface, subs[:4]), machine_type="a3-highgpu-8g", name="four")


def rdma(api: Api, net: Record | None = None) -> list[dict[str, Any]]:
    net = net or network(api, "rdma", network_profile=ROCE)
    ordinary = [subnetwork(api, network(api, f"net{n}"), f"sub{n}", f"10.{n}.0.0/24") for n in (0, 1)]
    fast = [subnetwork(api, net, f"rdma{n}", f"10.8.{n}.0/24") for n in range(8)]
    return [*(interface(one, "GVNIC") for one in ordinary), *(interface(one, "MRDMA") for one in fast)]


@pytest.mark.parametrize("machine_type", ["a3-ultragpu-8g", "a4-highgpu-8g"])
def test_the_right_interfaces_for_rdma(api: Api, machine_type: str) -> None:
    interfaces = rdma(api)
    template(api, *interfaces, machine_type=machine_type)
    with pytest.raises(ApiError, match="2 ordinary and 8 RDMA network interfaces, not 2 and 7"):
        template(api, *interfaces[:-1], machine_type=machine_type, name="seven")


def test_rdma_networks_take_rdma_interfaces_only(api: Api) -> None:
    interfaces = rdma(api)
    ordinary = [*interfaces[:-1], {**interfaces[-1], "nic_type": "GVNIC"}]
    with pytest.raises(ApiError, match="accepts interfaces of type MRDMA only, not GVNIC"):
        template(api, *ordinary, machine_type="a3-ultragpu-8g")


def test_rdma_networks_take_no_firewall_rules(api: Api) -> None:
    network(api, "rdma", network_profile=ROCE)
    with pytest.raises(ApiError, match="Firewall rules are not supported by the network profile"):
        api.create(
            "google_compute_firewall",
            name="f",
            network="rdma",
            allow=[{"protocol": "all"}],
            source_ranges=["10.0.0.0/8"],
        )


def test_rdma_networks_stay_in_their_zone_and_region(api: Api) -> None:
    net = network(api, "rdma", network_profile=ROCE)
    with pytest.raises(ApiError, match="in the region of us-central1-a only"):
        subnetwork(api, net, region="us-east4")
    made_from = template(api, *rdma(api, net), machine_type="a4-highgpu-8g")
    with pytest.raises(ApiError, match="is not for zone 'us-central1-b'"):
        group(api, made_from, zone="us-central1-b", target_size=1)


def test_interfaces_need_distinct_networks(api: Api) -> None:
    net = network(api)
    subs = [subnetwork(api, net, f"sub{n}", f"10.{n}.0.0/24") for n in (0, 1)]
    with pytest.raises(ApiError, match="Networks must be distinct"):
        template(api, *map(interface, subs))


def test_a_custom_mode_network_needs_a_subnetwork(api: Api) -> None:
    net = network(api)
    with pytest.raises(
        ApiError, match="must specify a subnet if the network resource is in custom subnet mode"
    ):
        template(api, {"network": net.id})


def test_the_default_network_is_there(api: Api) -> None:
    template(api, {"network": "default"})
    assert api.read("google_compute_network", name="default")["auto_create_subnetworks"] is True
    assert api.read("google_compute_subnetwork", name="default")["ip_cidr_range"] == "10.128.0.0/20"


@pytest.mark.parametrize(
    ("scheduling", "message"),
    [
        ({"on_host_maintenance": "MIGRATE"}, "do not support live migration"),
        ({"on_host_maintenance": "TERMINATE", "provisioning_model": "SPOT"}, "automatic restart be false"),
        (
            {
                "on_host_maintenance": "TERMINATE",
                "provisioning_model": "FLEX_START",
                "automatic_restart": False,
            },
            "FLEX_START needs a max run duration",
        ),
        ({"on_host_maintenance": "TERMINATE", "max_run_duration": [{"seconds": 60}]}, "termination action"),
    ],
)
def test_provisioning_that_does_not_go_together(api: Api, scheduling: dict[str, Any], message: str) -> None:
    sub = subnetwork(api, network(api))
    with pytest.raises(ApiError, match=message):
        template(api, interface(sub), machine_type="a2-highgpu-1g", scheduling=[scheduling])


def test_the_newest_machines_boot_from_hyperdisk(api: Api) -> None:
    interfaces = rdma(api)
    with pytest.raises(ApiError, match="pd-ssd disk type cannot be used by a4-highgpu-8g"):
        template(api, *interfaces, machine_type="a4-highgpu-8g", disk_type="pd-ssd")


# ---- groups


def test_named_instances_grow_the_group(api: Api) -> None:
    made = group(api, template(api, interface(subnetwork(api, network(api)))))
    kind = "google_compute_per_instance_config"
    for name in ("node-0", "node-1"):
        api.create(kind, name=name, instance_group_manager="group", remove_instance_on_destroy=True)
    assert names(api, "google_compute_instance") == ["node-0", "node-1"]
    assert api.cloud.read().records[made.key].state["target_size"] == 2
    config = api.cloud.read().of(kind)[0]
    api.delete(config)
    assert names(api, "google_compute_instance") == ["node-1"]


def test_groups_are_named_not_linked_by_their_parts(api: Api) -> None:
    made = group(api, template(api, interface(subnetwork(api, network(api)))))
    with pytest.raises(ApiError, match="Error 404"):
        api.create(
            "google_compute_per_instance_config", name="n", instance_group_manager=made.state["self_link"]
        )


def test_deleting_a_group_deletes_its_instances_and_frees_the_network(api: Api) -> None:
    net = network(api)
    sub = subnetwork(api, net)
    made_from = template(api, interface(sub))
    made = group(api, made_from, target_size=2)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(sub)
    for one in (made, made_from, sub, net):
        api.delete(one)
    assert [one.id for one in api.cloud.read().records.values() if not one.builtin] == []


def test_a_resize_request_needs_a_group_without_repairs(api: Api) -> None:
    made_from = template(api, interface(subnetwork(api, network(api))))
    made = group(api, made_from)
    resize = {"instance_group_manager": "group", "resize_by": 2, "name": "more"}
    with pytest.raises(ApiError, match="DO_NOTHING"):
        api.create("google_compute_resize_request", **resize)
    api.update(made, instance_lifecycle_policy=[{"default_action_on_failure": "DO_NOTHING"}])
    request = api.create("google_compute_resize_request", **resize)
    assert request.state["state"] == "SUCCEEDED"
    assert len(names(api, "google_compute_instance")) == 2


# ---- projects and storage


def test_an_api_that_is_to_be_enabled_is_off_until_then(api: Api) -> None:
    wanted = {"service": "compute.googleapis.com", "project": "my-project", "disable_on_destroy": True}
    api.plan("google_project_service", wanted)
    with pytest.raises(ApiError, match=r"Compute Engine API has not been used in project .*SERVICE_DISABLED"):
        network(api)
    service = api.create("google_project_service", **wanted)
    net = network(api)
    api.delete(service)
    with pytest.raises(ApiError, match="SERVICE_DISABLED"):
        api.delete(net)


def test_bucket_names_are_taken_once_and_full_buckets_stay(api: Api) -> None:
    bucket = api.create("google_storage_bucket", name="my-data", location="US")
    with pytest.raises(ApiError, match="Error 409"):
        api.create("google_storage_bucket", name="my-data", location="EU")
    item = api.create("google_storage_bucket_object", bucket="my-data", name="a/b", content="text")
    assert item.state["md5hash"] == base64.b64encode(hashlib.md5(b"text").digest()).decode()  # noqa: S324
    with pytest.raises(ApiError, match="containing objects without `force_destroy`"):
        api.delete(bucket)
    api.update(bucket, force_destroy=True)
    api.delete(api.cloud.read().records[bucket.key])
    assert names(api, "google_storage_bucket_object") == []


def test_an_object_needs_its_bucket_and_its_file(api: Api) -> None:
    with pytest.raises(ApiError, match="bucket does not exist"):
        api.create("google_storage_bucket_object", bucket="nowhere", name="a", content="text")
    api.create("google_storage_bucket", name="my-data", location="US")
    with pytest.raises(ApiError, match="no such file"):
        api.create("google_storage_bucket_object", bucket="my-data", name="a", source="missing.sh")


# ---- plans


def test_labels_are_computed_as_by_the_provider(api: Api) -> None:
    plan = api.plan("google_storage_bucket", {"name": "my-data", "location": "US", "labels": {"team": "ml"}})
    assert plan.state["effective_labels"] == {"goog-terraform-provisioned": "true", "team": "ml"}


def test_another_spelling_is_no_change(api: Api) -> None:
    sub = subnetwork(api, network(api))
    plan = api.plan("google_compute_subnetwork", {"network": "net"}, sub.state)
    assert (plan.replace, plan.state["network"]) == ([], sub.state["network"])


def test_ingress_rules_need_a_source(api: Api) -> None:
    plan = api.plan(
        "google_compute_firewall", {"name": "f", "network": "default", "allow": [{"protocol": "tcp"}]}
    )
    assert plan.errors == ["one of source_tags, source_ranges, or source_service_accounts must be defined"]


def test_a_running_instance_keeps_its_machine_type(api: Api) -> None:
    boot = [{"initialize_params": [{"image": IMAGE}]}]
    nic = [{"network": "default"}]
    made = api.create(
        "google_compute_instance", name="vm", machine_type="e2-small", boot_disk=boot, network_interface=nic
    )
    plan = api.plan("google_compute_instance", {"machine_type": "e2-medium"}, made.state)
    assert "allow_stopping_for_update" in plan.errors[0]
    allowed = {"machine_type": "e2-medium", "allow_stopping_for_update": True}
    assert api.plan("google_compute_instance", allowed, made.state).errors == []


def test_a_disk_grows_in_place_and_is_replaced_when_it_shrinks(api: Api) -> None:
    disk = api.create("google_compute_disk", name="d", size=100)
    assert api.plan("google_compute_disk", {"size": 200}, disk.state).replace == []
    assert api.plan("google_compute_disk", {"size": 50}, disk.state).replace == [("size",)]
