"""Refusals of Google Cloud for ranges, addresses, interfaces and the machines that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from google_parts import IMAGE, ROCE, group, interface, network, subnetwork, template

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

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
