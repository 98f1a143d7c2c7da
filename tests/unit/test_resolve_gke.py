"""Decisions about GKE clusters."""

from typing import Any

import msgspec
import pytest

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived import node_pools
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.control_plane import ControlPlanePlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.resolve.gke.cluster import resolve_cluster

BASE = {
    "clusterprint": "v1",
    "kind": "gke",
    "name": "lab",
    "project": "my-gpu-project",
    "region": "us-central1",
    "zone": "us-central1-a",
    "backend": {"gcs": {"bucket": "my-terraform-state"}},
}


def blueprint(**fields: Any) -> GkeBlueprint:
    return msgspec.convert({**BASE, **fields}, GkeBlueprint)


def control_plane(**fields: Any) -> ControlPlanePlan:
    found = cluster(**fields).control_plane
    assert found is not None
    return found


def system_pool(**fields: Any) -> PoolPlan:
    found = cluster(**fields).system_pool
    assert found is not None
    return found


def cluster(**fields: Any) -> GkeClusterPlan:
    return resolve_cluster(blueprint(**fields))


def pools(**fields: Any) -> list[PoolPlan]:
    return list(cluster(node_pools=[{"name": "pool", **fields}]).pools)


def pool(**fields: Any) -> PoolPlan:
    (only,) = pools(**fields)
    return only


# ---- capacity: each model with everything that it forces

AFFINITIES = {
    "on_demand": "",
    "spot": "NO_RESERVATION",
    "flex_start": "NO_RESERVATION",
    "reservation": "SPECIFIC_RESERVATION",
}


@pytest.mark.parametrize(("model", "affinity"), AFFINITIES.items())
def test_capacity(model: str, affinity: str) -> None:
    reservation = {"reservation": "mine"} if model == "reservation" else {}
    made = pool(
        machine_type="a3-ultragpu-8g",
        capacity={"model": model, **reservation},
        autoscaling={"max": 4},
    )
    capacity = made.node.capacity
    assert (capacity.spot, capacity.flex_start) == (model == "spot", model == "flex_start")
    assert (capacity.reservation_affinity, capacity.reservation) == (
        affinity,
        reservation.get("reservation", ""),
    )
    assert capacity.max_run_seconds == (7 * 86400 if model == "flex_start" else 0)
    assert made.auto_repair == (model != "flex_start")
    assert (made.upgrade is None) == (model == "flex_start")
    assert made.upgrade is None or (made.upgrade.max_surge, made.upgrade.max_unavailable) == (0, 1)
    assert made.autoscaling is not None
    scarce = model in ("spot", "flex_start")
    assert made.autoscaling.location_policy == ("ANY" if scarce else "BALANCED")


def test_nodes_of_flex_start_come_with_the_work() -> None:
    made = pool(machine_type="ct6e-standard-4t", tpu={"topology": "4x4"}, capacity={"model": "flex_start"})
    assert made.autoscaling is not None
    assert (made.nodes_per_zone, made.autoscaling.min, made.autoscaling.max) == (0, 0, 4)


@pytest.mark.parametrize("model", ["on_demand", "spot", "flex_start", "reservation"])
def test_limits_of_a_slice_of_several_hosts_are_those_of_its_zone(model: str) -> None:
    capacity = {"model": model, **({"reservation": "mine"} if model == "reservation" else {})}
    scaling = {"autoscaling": {"max": 4}, "capacity": capacity, "machine_type": "ct6e-standard-4t"}
    slices = pool(tpu={"topology": "4x4"}, **scaling).autoscaling
    assert slices is not None
    assert (slices.max, slices.per_zone, slices.location_policy) == (4, True, "ANY")
    hosts = pool(tpu={"topology": "2x2"}, **scaling).autoscaling
    assert hosts is not None
    assert not hosts.per_zone


@pytest.mark.parametrize(
    ("named", "written"),
    [
        ("mine", "mine"),
        ("projects/other/reservations/theirs", "projects/other/reservations/theirs"),
        (
            "projects/other/reservations/theirs/reservationBlocks/b1",
            "projects/other/reservations/theirs/reservationBlocks/b1",
        ),
        ("mine/reservationBlocks/b1", "projects/my-gpu-project/reservations/mine/reservationBlocks/b1"),
    ],
)
def test_parts_of_reservations_are_named_by_their_whole_path(named: str, written: str) -> None:
    made = pool(machine_type="a4-highgpu-8g", capacity={"model": "reservation", "reservation": named})
    assert made.node.capacity.reservation == written


def test_one_node_of_general_purpose_machines_is_made_in_advance() -> None:
    upgrade = pool(machine_type="n2-standard-4").upgrade
    assert upgrade is not None
    assert (upgrade.strategy, upgrade.max_surge, upgrade.max_unavailable) == ("SURGE", 1, 0)


def test_none_is_made_in_advance_where_all_that_is_reserved_may_be_in_use() -> None:
    reserved = {"model": "reservation", "reservation": "mine"}
    upgrade = pool(machine_type="n2-standard-4", capacity=reserved).upgrade
    assert upgrade is not None
    assert (upgrade.strategy, upgrade.max_surge, upgrade.max_unavailable) == ("SURGE", 0, 1)


# ---- how many nodes, and where


def test_a_count_is_that_of_all_zones_together() -> None:
    made = pool(machine_type="n2-standard-4", count=6, zones=["us-central1-a", "us-central1-b"])
    assert (made.nodes_per_zone, made.max_nodes, made.autoscaling) == (3, 6, None)


def test_without_any_zone_nodes_run_in_zone_b() -> None:
    fields = {key: value for key, value in BASE.items() if key != "zone"}
    made = msgspec.convert(
        {**fields, "node_pools": [{"name": "p", "machine_type": "n2-standard-4"}]}, GkeBlueprint
    )
    assert resolve_cluster(made).pools[0].zones == ("us-central1-b",)


@pytest.mark.parametrize(
    ("fields", "minutes"),
    [
        ({"create_timeout": "90s"}, 2),
        ({"create_timeout": "2m"}, 2),
        ({}, 45),
        ({"machine_type": "g2-standard-8"}, 120),
    ],
)
def test_terraform_waits_at_least_as_long_as_it_is_told(fields: dict[str, str], minutes: int) -> None:
    assert pool(**{"machine_type": "n2-standard-4", **fields}).create_minutes == minutes


def test_a_pool_starts_with_its_least_number() -> None:
    zones = ["us-central1-a", "us-central1-b"]
    total = pool(machine_type="n2-standard-4", autoscaling={"min": 3, "max": 9}, zones=zones)
    assert (total.nodes_per_zone, total.max_nodes) == (2, 9)
    each = pool(machine_type="n2-standard-4", autoscaling={"min": 3, "max": 9, "per_zone": True}, zones=zones)
    assert (each.nodes_per_zone, each.max_nodes) == (3, 18)


@pytest.mark.parametrize(
    ("machine_type", "topology", "nodes", "placed"),
    [
        ("ct5p-hightpu-4t", "2x2x1", 1, False),
        ("ct5p-hightpu-4t", "2x2x2", 2, True),
        ("ct5lp-hightpu-8t", "2x4", 1, False),
        ("ct5lp-hightpu-4t", "2x4", 2, True),
        ("ct6e-standard-1t", "1x1", 1, False),
        ("ct6e-standard-8t", "2x4", 1, False),
        ("ct6e-standard-4t", "2x2", 1, False),
        ("ct6e-standard-4t", "4x4", 4, True),
        ("ct6e-standard-4t", "16x16", 64, True),
        ("ct4p-hightpu-4t", "2x4x4", 8, True),
    ],
)
def test_a_slice_is_as_many_nodes_as_its_chips_need(
    machine_type: str, topology: str, nodes: int, placed: bool
) -> None:
    made = pool(machine_type=machine_type, tpu={"topology": topology})
    assert (made.nodes_per_zone, made.max_nodes) == (nodes, nodes)
    assert made.node.tpu is not None
    assert (made.node.tpu.hosts > 1) == placed
    assert (made.placement.tpu_topology if made.placement else "") == (topology if placed else "")
    assert made.max_pods == (15 if placed else 32)


def test_what_is_said_of_a_slice_is_not_said_of_a_machine_that_nobody_knows() -> None:
    assert pool(machine_type="zz9-standard-4t", tpu={"topology": "2x2"}).node.tpu is None


def test_a_size_of_hosts_that_nobody_tells_is_none() -> None:
    made = pool(machine_type="ct5p-hightpu-1t", tpu={"topology": "1x1x1"})
    assert (made.vcpus, made.memory_gb) == (0, 0)


@pytest.mark.parametrize(
    ("machine_type", "kind"),
    [
        ("g4-standard-48", "g4"),
        ("g4-standard-6", "g4-fraction"),
        ("n2-standard-4", "n2"),
        ("ct6e-standard-4t", "v6e"),
        ("zz9-standard-4", ""),
    ],
)
def test_versions_are_kept_for_kinds_of_machines(machine_type: str, kind: str) -> None:
    (found,) = blueprint(node_pools=[{"name": "pool", "machine_type": machine_type}]).node_pools
    assert node_pools.kind(found) == kind


def test_each_slice_is_a_pool() -> None:
    made = pools(machine_type="ct6e-standard-4t", tpu={"topology": "4x4", "slices": 3})
    assert [each.key for each in made] == ["pool-0", "pool-1", "pool-2"]
    assert {each.group for each in made} == {"pool"}
    assert {each.nodes_per_zone for each in made} == {4}


def test_the_newest_tpus_are_placed_by_a_policy_that_their_slices_share() -> None:
    plan = cluster(
        node_pools=[
            {"name": "p", "machine_type": "tpu7x-standard-4t", "tpu": {"topology": "2x2x2", "slices": 2}}
        ]
    )
    (policy,) = plan.policies
    assert (policy.key, policy.policy.accelerator_topology) == ("p", "2x2x2")
    assert {
        (each.placement.policy, each.placement.tpu_topology) for each in plan.pools if each.placement
    } == {("p", "")}


# ---- hardware


@pytest.mark.parametrize(
    ("machine_type", "interfaces", "ssds", "fabric"),
    [
        ("a3-highgpu-8g", 4, 16, "tcpx"),
        ("a3-megagpu-8g", 8, 16, "tcpxo"),
        ("a3-ultragpu-8g", 9, 32, "roce"),
        ("a4-highgpu-8g", 9, 32, "roce"),
        ("a2-highgpu-8g", 0, 0, ""),
        ("g2-standard-8", 0, 0, ""),
    ],
)
def test_machines_bring_their_networks_and_disks(
    machine_type: str, interfaces: int, ssds: int, fabric: str
) -> None:
    made = pool(machine_type=machine_type)
    assert (len(made.interfaces), made.node.ephemeral_ssds, made.fabric) == (interfaces, ssds, fabric)


def test_rdma_comes_after_the_second_host_interface() -> None:
    made = pool(machine_type="a4-highgpu-8g")
    assert [each.device_mode for each in made.interfaces] == ["NetDevice", *["RDMA"] * 8]
    assert [each.name for each in made.interfaces][:2] == ["host", "rdma-a-0"]


def test_every_interface_has_its_network() -> None:
    plan = cluster(
        node_pools=[
            {"name": name, "machine_type": name}
            for name in ("a3-highgpu-8g", "a3-megagpu-8g", "a4-highgpu-8g")
        ]
    )
    subnets = {(network.key, subnet.key) for network in plan.networks for subnet in network.subnets}
    assert {(each.network, each.subnet) for made in plan.pools for each in made.interfaces} <= subnets
    cidrs = [subnet.cidr for network in plan.networks for subnet in network.subnets]
    assert len(cidrs) == len(set(cidrs))


def test_each_zone_has_an_rdma_network_of_its_own() -> None:
    plan = cluster(
        node_pools=[
            {"name": f"p{zone}", "machine_type": "a4-highgpu-8g", "zones": [f"us-central1-{zone}"]}
            for zone in "bc"
        ]
    )
    assert [each.name for each in plan.networks] == ["lab-net", "lab-host", "lab-rdma-b", "lab-rdma-c"]
    assert [each.profile.rpartition("/")[2] for each in plan.networks[2:]] == [
        "us-central1-b-vpc-roce",
        "us-central1-c-vpc-roce",
    ]


@pytest.mark.parametrize("types", [("a4-highgpu-8g", "a4x-highgpu-4g"), ("a4x-highgpu-4g", "a4-highgpu-8g")])
def test_the_rdma_network_of_a_zone_is_large_enough_for_each_pool(types: tuple[str, str]) -> None:
    plan = cluster(
        node_pools=[
            {"name": each.partition("-")[0], "machine_type": each, "zones": ["us-central1-b"]}
            for each in types
        ]
    )
    (rdma,) = (each for each in plan.networks if each.profile)
    assert len(rdma.subnets) == 8
    by_name = {made.key: made for made in plan.pools}
    assert sum(each.device_mode == "RDMA" for each in by_name["a4"].interfaces) == 8
    assert sum(each.device_mode == "RDMA" for each in by_name["a4x"].interfaces) == 4


def test_pools_and_classes_mark_their_nodes() -> None:
    plan = cluster(
        node_pools=[
            {"name": "spot", "machine_type": "g2-standard-8", "capacity": {"model": "spot"}},
            {"name": "tpu", "machine_type": "ct6e-standard-4t", "tpu": {"topology": "2x2", "slices": 2}},
            {"name": "arm", "machine_type": "a4x-highgpu-4g"},
        ],
        compute_classes=[{"name": "cheap", "prefer": ["tpu", "spot"]}],
    )
    taints = {each.key: [f"{taint.key}={taint.value}" for taint in each.node.taints] for each in plan.pools}
    cheap = "cloud.google.com/compute-class=cheap"
    assert taints == {
        "spot": ["nvidia.com/gpu=present", cheap],
        "tpu-0": ["google.com/tpu=present", cheap],
        "tpu-1": ["google.com/tpu=present", cheap],
        "arm": ["nvidia.com/gpu=present", "kubernetes.io/arch=arm64"],
    }
    assert plan.pools[0].node.labels == {"cloud.google.com/compute-class": "cheap"}
    assert [(each.name, each.pools) for each in plan.compute_classes] == [
        ("cheap", ("tpu-0", "tpu-1", "spot"))
    ]


# ---- the cluster


def test_a_cluster_is_never_open() -> None:
    nobody = control_plane()
    assert (nobody.private_endpoint, nobody.dns_endpoint, nobody.authorized_networks) == (True, True, ())
    office = control_plane(cluster={"authorized_networks": [{"name": "office", "cidr": "203.0.113.0/24"}]})
    assert (office.private_endpoint, office.dns_endpoint) == (False, False)
    assert [each.cidr for each in office.authorized_networks] == ["203.0.113.0/24"]


@pytest.mark.parametrize("channel", ["none", "rapid", "regular", "stable", "extended"])
def test_nodes_follow_the_channel(channel: str) -> None:
    plan = cluster(
        cluster={"release_channel": channel}, node_pools=[{"name": "p", "machine_type": "n2-standard-4"}]
    )
    assert {each.auto_upgrade for each in (plan.system_pool, *plan.pools) if each} == {channel != "none"}


def test_pools_decide_about_networks_and_metrics() -> None:
    plain = control_plane(node_pools=[{"name": "p", "machine_type": "n2-standard-4"}])
    assert (plain.multi_networking, plain.monitoring.metrics) == (False, ("SYSTEM_COMPONENTS",))
    gpus = control_plane(node_pools=[{"name": "p", "machine_type": "a3-megagpu-8g"}])
    assert (gpus.multi_networking, gpus.monitoring.metrics) == (True, ("SYSTEM_COMPONENTS", "DCGM"))


def test_a_cluster_needs_addresses_for_nodes_pods_and_upgrades() -> None:
    made = blueprint(
        system_pool={"autoscaling": {"min": 1, "max": 3}},
        node_pools=[
            {"name": "a", "machine_type": "n2-standard-4", "count": 10, "upgrades": {"max_surge": 2}},
            {
                "name": "b",
                "machine_type": "a4-highgpu-8g",
                "autoscaling": {"max": 8},
                "max_pods_per_node": 16,
            },
            {
                "name": "c",
                "machine_type": "n2-standard-4",
                "count": 4,
                "upgrades": {"strategy": "blue_green"},
            },
        ],
    )
    assert node_pools.all_nodes(made) == (3 + 1) + (10 + 2) + 8 + (4 + 4)
    assert node_pools.all_pod_addresses(made) == (3 + 1) * 128 + (10 + 2) * 128 + 8 * 32 + (4 + 4) * 128


# ---- what hosts need


@pytest.mark.parametrize(
    ("machine_type", "more", "tuned"),
    [
        ("a3-ultragpu-8g", {"zones": ["us-central1-b"]}, True),
        ("a3-megagpu-8g", {}, True),
        ("a3-megagpu-8g", {"gpu_networks": False}, False),
        ("g2-standard-8", {}, False),
    ],
)
def test_hosts_with_several_cards_have_larger_buffers(
    machine_type: str, more: dict[str, Any], tuned: bool
) -> None:
    made = pool(machine_type=machine_type, capacity={"model": "spot"}, **more)
    assert made.node.sysctls == (
        {"net.ipv4.tcp_rmem": "4096 87380 16777216", "net.ipv4.tcp_wmem": "4096 16384 16777216"}
        if tuned
        else {}
    )


@pytest.mark.parametrize(
    ("machine_type", "queued", "close"),
    [
        ("a3-ultragpu-8g", False, True),
        ("a4-highgpu-8g", False, True),
        ("a3-ultragpu-8g", True, False),
        ("a3-megagpu-8g", False, False),
    ],
)
def test_flex_start_is_placed_compactly_where_it_can_be(machine_type: str, queued: bool, close: bool) -> None:
    made = pool(
        machine_type=machine_type,
        capacity={"model": "flex_start", "queued": queued},
        zones=["us-central1-b"],
        autoscaling={"max": 4},
    )
    assert (made.placement is not None) == close
    assert made.node.labels == ({"cloud.google.com/gke-queued": "true"} if queued else {})


@pytest.mark.parametrize(
    ("scaling", "each", "most"),
    [
        ({"min": 2, "max": 6}, 1, 6),
        ({"min": 4, "max": 6}, 2, 6),
        ({"min": 1, "max": 2, "per_zone": True}, 1, 6),
    ],
)
def test_the_system_pool_survives_a_zone_on_request(scaling: dict[str, Any], each: int, most: int) -> None:
    zones = ["us-central1-a", "us-central1-b", "us-central1-c"]
    made = system_pool(system_pool={"zones": zones, "autoscaling": scaling})
    assert (list(made.zones), made.nodes_per_zone, made.max_nodes) == (zones, each, most)
    assert made.autoscaling is not None
    assert made.autoscaling.location_policy == "BALANCED"
    system = blueprint(system_pool={"zones": zones, "autoscaling": scaling}).system_pool
    assert node_pools.max_system_nodes(system) == most + 1
    assert system_pool().zones == ("us-central1-a",)
