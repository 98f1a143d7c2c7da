"""The truths of node pools: what Google Kubernetes Engine would refuse of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pools import MULTI, POOL, ROCE, UNENROLLED, cluster, network, node, pool

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record


def test_what_a_pool_is_made_of(api: Api) -> None:
    made = pool(api, cluster(api), node_locations=["us-central1-a", "us-central1-b"]).state
    assert made["id"] == "projects/my-project/locations/us-central1/clusters/c/nodePools/p"
    assert [one.split("/")[-3] for one in made["instance_group_urls"]] == ["us-central1-a", "us-central1-b"]
    assert "/instanceGroups/gke-c-p-" in made["managed_instance_group_urls"][0]
    assert (made["initial_node_count"], made["max_pods_per_node"], made["location"]) == (
        1,
        110,
        "us-central1",
    )


def test_a_pool_is_named_once_and_its_cluster_is_there(api: Api) -> None:
    made = cluster(api)
    pool(api, made)
    with pytest.raises(ApiError, match="nodePools/p' already exists"):
        pool(api, made)
    with pytest.raises(ApiError, match="Not found: us-central1/clusters/nowhere"):
        api.create(POOL, name="q", cluster="nowhere", location="us-central1", node_count=1)
    api.create(POOL, name="q", cluster="c", location="us-central1", node_count=1)


COMPACT = [{"type": "COMPACT"}]
ANY = {"consume_reservation_type": "ANY_RESERVATION"}
A100 = {"type": "nvidia-tesla-a100", "count": 1}
SHARED = {"gpu_sharing_strategy": "TIME_SHARING", "max_shared_clients_per_gpu": 1}
SCALING = [{"total_min_node_count": 0, "total_max_node_count": 4}]
FLEX = {
    "node_count": None,
    "autoscaling": SCALING,
    "management": [{"auto_repair": False, "auto_upgrade": True}],
    "node_config": node("a2-highgpu-1g", flex_start=True, max_run_duration="604800s"),
}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"node_locations": ["us-east4-a"]}, "is not in region 'us-central1'"),
        ({"initial_node_count": 1}, "Cannot set both initial_node_count and node_count"),
        (
            {"autoscaling": [{"max_node_count": 3, "total_max_node_count": 4}]},
            "Only one kind can be used",
        ),
        ({"autoscaling": [{"min_node_count": 3, "max_node_count": 2}]}, "must not be greater than"),
        ({"node_config": node(spot=True, preemptible=True)}, "Spot and preemptible"),
        ({"node_config": node(spot=True, flex_start=True)}, "cannot be combined"),
        (
            {
                "node_config": node(
                    spot=True, reservation_affinity=[{"consume_reservation_type": "ANY_RESERVATION"}]
                )
            },
            "need reservation affinity NO_RESERVATION",
        ),
        ({**FLEX, "autoscaling": []}, "Flex-start needs autoscaling"),
        ({**FLEX, "node_count": 2}, "begins with zero nodes"),
        ({**FLEX, "management": [{"auto_repair": True}]}, "Auto-repair must be off"),
        ({**FLEX, "node_config": node(flex_start=True, max_run_duration="8d")}, "It must be seconds"),
        ({**FLEX, "node_config": node(flex_start=True, max_run_duration="604801s")}, "at most 604800s"),
        ({"queued_provisioning": [{"enabled": True}]}, "Queued provisioning needs autoscaling"),
        (
            {
                "node_config": node(
                    reservation_affinity=[{"consume_reservation_type": "SPECIFIC_RESERVATION"}]
                )
            },
            "exactly one value",
        ),
        ({"upgrade_settings": [{"max_surge": 0, "max_unavailable": 0}]}, "must not both be zero"),
        ({"management": [{"auto_upgrade": False}]}, "Auto_upgrade must be true when release_channel REGULAR"),
        ({"node_config": node(service_account="nobody@my-project.iam.gserviceaccount.com")}, "not found"),
        ({"placement_policy": [{"type": "COMPACT", "policy_name": "none"}]}, "cannot be found"),
        (
            {"placement_policy": [{"type": "COMPACT"}], "node_locations": ["us-central1-a", "us-central1-b"]},
            "Compact placement needs one zone, not 2",
        ),
        (
            {"placement_policy": COMPACT, "node_count": 1501, "node_config": node("c2-standard-60")},
            "at most 1500 nodes",
        ),
        ({"placement_policy": COMPACT}, "Compact placement is not supported for e2-medium"),
        ({"node_config": node("a3-highgpu-1g")}, "can be had as spot or flex_start only, not as on_demand"),
        ({"node_config": node("a4x-highgpu-4g", spot=True)}, "can be had as reservation only, not as spot"),
        ({"node_config": node("a4x-highgpu-4g", reservation_affinity=[ANY])}, "needs a workload policy"),
        (
            {"node_config": node("a4x-highgpu-4g", reservation_affinity=[ANY]), "node_count": 19},
            "at most 18 nodes, not 19",
        ),
        (
            {**FLEX, "node_config": node("ct4p-hightpu-4t", flex_start=True)},
            "Flex-start is not supported for ct4p-hightpu-4t",
        ),
        (
            {"node_config": node("a2-highgpu-2g", guest_accelerator=[{"type": "nvidia-l4", "count": 2}])},
            "a2-highgpu-2g has 2 nvidia-tesla-a100, not 2 nvidia-l4",
        ),
        (
            {"node_config": node("a4-highgpu-8g", disk_type="pd-ssd", spot=True)},
            "pd-ssd disk type cannot be used",
        ),
        ({"node_config": node(fast_socket=[{"enabled": True}])}, "needs gVNIC"),
        ({"node_config": node(secondary_boot_disks=[{"disk_image": "i"}])}, "need image streaming"),
        ({"node_config": node(labels={"kubernetes.io/role": "x"})}, "reserved prefix"),
        (
            {"node_config": node(workload_metadata_config=[{"mode": "GKE_METADATA"}])},
            "needs Workload Identity in the cluster",
        ),
        ({"max_pods_per_node": 300}, "between 8 and 256"),
        (
            {
                "node_config": node(
                    "a2-highgpu-1g", guest_accelerator=[{**A100, "gpu_partition_size": "9g.5gb"}]
                )
            },
            "GPU partition size 9g.5gb is not supported for nvidia-tesla-a100",
        ),
        (
            {
                "node_config": node(
                    "a2-highgpu-1g", guest_accelerator=[{**A100, "gpu_sharing_config": [SHARED]}]
                )
            },
            "must be between 2 and 48, not 1",
        ),
        (
            {"node_config": node("a3-megagpu-8g", local_nvme_ssd_block_config=[{"local_ssd_count": 8}])},
            "a3-megagpu-8g has 16 local SSDs, not 8",
        ),
        (
            {**FLEX, "version": "1.31.1-gke.1000000"},
            "Flex-start needs GKE 1.32.2-gke.1652000 or later, not 1.31.1-gke.1000000",
        ),
        ({"node_count": 257}, r"IP_SPACE_EXHAUSTED.* range 'pods'"),
        ({"node_count": 4093, "max_pods_per_node": 8}, r"IP_SPACE_EXHAUSTED: 4093 nodes do not fit"),
    ],
)
def test_pools_that_cannot_be(api: Api, config: dict[str, Any], message: str) -> None:
    made = cluster(api)
    with pytest.raises(ApiError, match=message):
        pool(api, made, **config)


def test_pools_that_can_be(api: Api) -> None:
    made = cluster(api, **UNENROLLED)
    pool(api, made, "flex", **FLEX)
    pool(api, made, "frozen", management=[{"auto_upgrade": False}])
    block = "projects/other/reservations/mine/reservationBlocks/b1/reservationSubBlocks/s1"
    affinity = {
        "consume_reservation_type": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": [block],
    }
    pool(api, made, "reserved", node_config=node("a3-megagpu-8g", reservation_affinity=[affinity]))
    with pytest.raises(ApiError, match="A block of a reservation is in one zone"):
        pool(
            api,
            made,
            "spread",
            node_locations=["us-central1-a", "us-central1-b"],
            node_config=node(reservation_affinity=[affinity]),
        )


def test_pools_share_the_addresses_of_their_pods(api: Api) -> None:
    made = cluster(api)
    pool(api, made, "half", node_count=128)
    with pytest.raises(ApiError, match="IP_SPACE_EXHAUSTED"):
        pool(api, made, "more", node_count=129)
    pool(api, made, "rest", node_count=128)


# ---- TPUs


def slice_of(machine_type: str, topology: str | None, nodes: int, **more: Any) -> dict[str, Any]:
    placement = [{"type": "COMPACT", "tpu_topology": topology}] if topology else []
    return {"node_config": node(machine_type), "placement_policy": placement, "node_count": nodes, **more}


@pytest.mark.parametrize(
    ("machine_type", "topology", "nodes", "message"),
    [
        ("ct5p-hightpu-4t", "2x2x2", 3, "Topology 2x2x2 needs 2 nodes, not 3"),
        ("ct6e-standard-4t", "4x4", 0, "Topology 4x4 needs 4 nodes, not 0"),
        ("ct5p-hightpu-4t", "2x2x", 2, "Invalid TPU topology"),
        ("ct5p-hightpu-4t", "4x4", 4, "There is no topology 4x4 of ct5p-hightpu-4t nodes"),
        ("ct6e-standard-4t", "2x8", 4, "There is no topology 2x8"),
        ("ct5p-hightpu-4t", "4x4x6", 24, "There is no topology 4x4x6"),
        ("ct4p-hightpu-4t", "16x16x20", 1280, "There is no topology 16x16x20"),
        ("ct6e-standard-8t", "2x4", 1, "take no TPU topology"),
        ("n2-standard-4", "2x2x2", 2, "A TPU topology needs TPUs"),
    ],
)
def test_slices_that_cannot_be(api: Api, machine_type: str, topology: str, nodes: int, message: str) -> None:
    made = cluster(api)
    with pytest.raises(ApiError, match=message):
        pool(api, made, **slice_of(machine_type, topology, nodes))


def test_slices_that_can_be(api: Api) -> None:
    made = cluster(api)
    pool(api, made, "v5p", **slice_of("ct5p-hightpu-4t", "2x2x2", 2))
    pool(api, made, "single", **slice_of("ct6e-standard-8t", None, 1))
    scaling = {"max_node_count": 4, "location_policy": "ANY"}
    pool(api, made, "later", **slice_of("ct6e-standard-4t", "4x4", 0, autoscaling=[scaling]))
    with pytest.raises(ApiError, match="needs 4 nodes, but autoscaling allows 8"):
        pool(
            api,
            made,
            "wider",
            **slice_of("ct6e-standard-4t", "4x4", 0, autoscaling=[{**scaling, "max_node_count": 8}]),
        )


@pytest.mark.parametrize(
    ("scaling", "message"),
    [
        ({"total_max_node_count": 4, "location_policy": "ANY"}, "Maximum node count 0 is not a valid size"),
        ({"max_node_count": 4}, "needs location policy ANY"),
        ({"max_node_count": 4, "location_policy": "BALANCED"}, "needs location policy ANY"),
    ],
)
def test_limits_of_a_slice_are_those_of_its_zone(api: Api, scaling: dict[str, Any], message: str) -> None:
    made = cluster(api)
    with pytest.raises(ApiError, match=message):
        pool(api, made, **slice_of("ct6e-standard-4t", "4x4", 0, autoscaling=[scaling]))


@pytest.mark.parametrize(
    "nodes",
    [
        {"node_config": node("a4x-highgpu-4g", reservation_affinity=[ANY]), "node_count": 18},
        {"node_config": node("tpu7x-standard-4t"), "node_count": 4},
        {"node_config": node("a3-ultragpu-8g", spot=True)},
    ],
    ids=lambda one: str(one["node_config"][0]["machine_type"]),
)
def test_nodes_that_a_workload_policy_places_have_no_type_of_placement(
    api: Api, nodes: dict[str, Any]
) -> None:
    made = cluster(api)
    for name, policy in {
        "rack": {"workload_policy": [{"type": "HIGH_THROUGHPUT"}]},
        "near": {"group_placement_policy": [{"collocation": "COLLOCATED"}]},
    }.items():
        api.create("google_compute_resource_policy", name=name, region="us-central1", **policy)
    placed = pool(api, made, placement_policy=[{"type": "COMPACT", "policy_name": "rack"}], **nodes)
    assert placed.state["placement_policy"][0]["type"] == ""
    near = {"placement_policy": [{"type": "COMPACT", "policy_name": "near"}]}
    other = pool(api, made, "near", node_config=node("c2-standard-60"), **near)
    assert other.state["placement_policy"][0]["type"] == "COMPACT"


# ---- additional networks


def entries(*subnetworks: Record) -> list[dict[str, Any]]:
    both = [{"network": one.state["network"], "subnetwork": one.state["name"]} for one in subnetworks]
    return [{"additional_node_network_configs": both}]


def test_additional_networks_need_a_cluster_for_them(api: Api) -> None:
    made = cluster(api)
    extra = network(api, "extra", "10.20.0.0/24")
    with pytest.raises(ApiError, match="need multi-networking"):
        pool(api, made, network_config=entries(extra))
    other = cluster(api, "multi", **MULTI)
    pool(api, other, network_config=entries(extra))
    with pytest.raises(ApiError, match="must be distinct"):
        pool(api, other, "twice", network_config=entries(extra, extra))
    inside = network(api, "inside", "10.4.0.0/24")
    with pytest.raises(ApiError, match=r"Range 10.4.0.0/16 of .* overlaps with 10.4.0.0/24"):
        pool(api, other, "inside", network_config=entries(inside))
    one = node("a3-highgpu-1g", spot=True)
    with pytest.raises(ApiError, match="a3-highgpu-1g has one network interface"):
        pool(api, other, "one", network_config=entries(extra), node_config=one)


def test_machines_take_as_many_networks_as_they_have_interfaces(api: Api) -> None:
    made = cluster(api, **MULTI)
    extra = [network(api, f"n{n}", f"10.{20 + n}.0.0/24") for n in range(4)]
    pool(api, made, network_config=entries(*extra), node_config=node("a3-highgpu-8g"))
    with pytest.raises(ApiError, match="takes 4 ordinary and 0 RDMA additional networks, not 3 and 0"):
        pool(api, made, "q", network_config=entries(*extra[:3]), node_config=node("a3-highgpu-8g"))


def test_rdma_networks_are_for_one_zone(api: Api) -> None:
    made = cluster(api, **MULTI)
    ordinary = network(api, "gvnic", "10.20.0.0/24")
    first = network(api, "rdma", "10.30.0.0/24", ROCE)
    rest = [
        api.create(
            "google_compute_subnetwork",
            name=f"rdma{n}",
            network="rdma",
            ip_cidr_range=f"10.30.{n}.0/24",
        )
        for n in range(1, 8)
    ]
    nets = entries(ordinary, first, *rest)
    pool(api, made, network_config=nets, node_config=node("a3-ultragpu-8g", spot=True))
    with pytest.raises(ApiError, match=r"for zone 'us-central1-a' only, and the pool is in us-central1-b"):
        pool(api, made, "q", network_config=nets, node_locations=["us-central1-b"])
    with pytest.raises(ApiError, match="e2-medium has no RDMA network interfaces"):
        pool(api, made, "r", network_config=nets)


# ---- versions


@pytest.mark.parametrize(
    ("version", "machine_type", "message"),
    [
        ("1.31.4-gke.1182999", "a3-ultragpu-8g", "needs GKE 1.31.4-gke.1183000 or later"),
        ("1.33.5-gke.1308000", "g4-standard-48", "needs GKE 1.34.0-gke.1662000 or later"),
        ("1.34.4-gke.1130000", "a3-highgpu-8g", "are blocked in 1.34.4-gke.1130000: use 1.34.5-gke.1153000"),
        ("1.35.0-gke.1", "a3-highgpu-8g", "are blocked in 1.35.0-gke.1: use 1.35.2-gke.1485000"),
    ],
)
def test_machines_of_other_versions(api: Api, version: str, machine_type: str, message: str) -> None:
    made = cluster(api, min_master_version=version)
    with pytest.raises(ApiError, match=message):
        pool(api, made, node_config=node(machine_type, spot=True))


def test_a_version_that_gke_chose_refuses_no_change(api: Api) -> None:
    made = cluster(api, release_channel=[{"channel": "RAPID"}])
    kept = pool(api, made, node_config=node("a3-highgpu-8g", spot=True))
    assert kept.state["version"] == "1.34.1-gke.2037000"
    api.update(kept, node_count=2)
    with pytest.raises(ApiError, match=r"are blocked in 1\.34\.2-gke\.1"):
        api.update(kept, version="1.34.2-gke.1")
