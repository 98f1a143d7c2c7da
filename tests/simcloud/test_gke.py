"""The truths of Google Kubernetes Engine: what it would refuse of clusters and node pools."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint.simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api, Stack

    from clusterprint.simcloud import Record, World

CLUSTER = "google_container_cluster"
POOL = "google_container_node_pool"
ROCE = "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"
RANGES = [
    {"range_name": "pods", "ip_cidr_range": "10.4.0.0/16"},
    {"range_name": "services", "ip_cidr_range": "10.5.0.0/20"},
]
NAMED = [{"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"}]
MULTI = {"enable_multi_networking": True, "datapath_provider": "ADVANCED_DATAPATH"}
UNENROLLED = {"release_channel": [{"channel": "UNSPECIFIED"}]}


def network(api: Api, name: str = "net", cidr: str = "10.0.0.0/20", profile: str | None = None) -> Record:
    """A network with one subnetwork of the same name; returns the subnetwork."""
    made = api.create(
        "google_compute_network", name=name, auto_create_subnetworks=False, network_profile=profile
    )
    inside = RANGES if name == "net" else []
    return api.create(
        "google_compute_subnetwork",
        name=name,
        network=made.id,
        ip_cidr_range=cidr,
        secondary_ip_range=inside,
    )


def cluster(api: Api, name: str = "c", **more: Any) -> Record:
    if not [one for one in api.cloud.read().of("google_compute_subnetwork") if one.state["name"] == "net"]:
        network(api)
    config: dict[str, Any] = {
        "location": "us-central1", "network": "net", "subnetwork": "net", "ip_allocation_policy": NAMED,
        "initial_node_count": 1, "remove_default_node_pool": True, **more,
    }  # fmt: skip
    return api.create(CLUSTER, name=name, **config)


def pool(api: Api, within: Record, name: str = "p", **more: Any) -> Record:
    config: dict[str, Any] = {"node_count": 1, "node_locations": ["us-central1-a"], **more}
    return api.create(POOL, name=name, cluster=within.id, **config)


def node(machine_type: str = "e2-medium", **more: Any) -> list[dict[str, Any]]:
    return [{"machine_type": machine_type, **more}]


# ---- clusters


def test_what_a_cluster_is_made_of(api: Api) -> None:
    made = cluster(api).state
    assert made["endpoint"] == "34.72.0.10"
    assert made["cluster_ipv4_cidr"] == "10.4.0.0/16"
    assert made["services_ipv4_cidr"] == "10.5.0.0/20"
    certificate = base64.b64decode(made["master_auth"][0]["cluster_ca_certificate"]).decode()
    assert certificate.startswith("-----BEGIN CERTIFICATE-----")
    (planes,) = made["control_plane_endpoints_config"]
    assert planes["dns_endpoint_config"][0]["endpoint"].endswith(".us-central1.gke.goog")
    assert made["node_locations"] == ["us-central1-a", "us-central1-b", "us-central1-c"]
    assert made["self_link"].endswith("/v1/projects/my-project/locations/us-central1/clusters/c")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"subnetwork": "other"}, "is not in network"),
        ({"location": "us-east4", "subnetwork": "regions/us-central1/subnetworks/net"}, "not in the region"),
        (
            {"ip_allocation_policy": [{**NAMED[0], "cluster_secondary_range_name": "none"}]},
            'Pod secondary range "none" does not exist',
        ),
        (
            {"ip_allocation_policy": [{**NAMED[0], "services_secondary_range_name": "pods"}]},
            "must have secondary ranges of their own",
        ),
        (
            {"private_cluster_config": [{"master_ipv4_cidr_block": "10.0.8.0/28"}]},
            "overlaps with 10.0.0.0/20, the primary range of subnetwork 'net'",
        ),
        (
            {"private_cluster_config": [{"master_ipv4_cidr_block": "10.4.8.0/28"}]},
            "the secondary range pods of subnetwork 'net'",
        ),
        ({"enable_multi_networking": True}, "Multi-networking requires Dataplane V2"),
        (
            {**MULTI, "network_policy": [{"enabled": True}]},
            "DatapathProvider=ADVANCED_DATAPATH is not allowed",
        ),
        ({"workload_identity_config": [{"workload_pool": "x.svc.id.goog"}]}, '"my-project.svc.id.goog"'),
        ({"initial_node_count": None}, "initial_node_count must be greater than zero"),
        ({"min_master_version": "newest"}, 'Master version "newest" is unsupported'),
        (
            {"master_authorized_networks_config": [{"cidr_blocks": [{"cidr_block": "10.0.0.1/8"}]}]},
            "Must be a valid CIDR range",
        ),
        ({"node_config": node(service_account="nobody@my-project.iam.gserviceaccount.com")}, "not found"),
    ],
)
def test_clusters_that_cannot_be(api: Api, config: dict[str, Any], message: str) -> None:
    network(api)
    network(api, "other", "10.9.0.0/20")
    with pytest.raises(ApiError, match=message):
        cluster(api, **config)


def test_control_planes_do_not_overlap(api: Api) -> None:
    plane = [{"master_ipv4_cidr_block": "172.16.0.0/28"}]
    made = cluster(api, private_cluster_config=plane)
    assert made.state["private_cluster_config"][0]["private_endpoint"] == "172.16.0.2"
    with pytest.raises(ApiError, match=r"overlaps with the one of '.*/clusters/c'"):
        cluster(api, "d", private_cluster_config=plane)


def test_a_protected_cluster_stays(api: Api) -> None:
    made = cluster(api)
    with pytest.raises(ApiError, match="Cannot destroy cluster because deletion_protection is set to true"):
        api.delete(made)
    api.delete(api.update(made, deletion_protection=False))


def test_a_cluster_holds_its_network_and_takes_its_pools(api: Api) -> None:
    made = cluster(api, deletion_protection=False)
    pool(api, made)
    (net,) = [one for one in api.cloud.read().of("google_compute_subnetwork") if one.state["name"] == "net"]
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(net)
    api.delete(made)
    assert api.cloud.read().of(POOL) == []
    api.delete(net)


def test_the_default_pool_is_there_until_it_is_removed(api: Api) -> None:
    kept = cluster(api, remove_default_node_pool=False)
    with pytest.raises(ApiError, match="default-pool' already exists"):
        pool(api, kept, "default-pool")
    pool(api, cluster(api, "other"), "default-pool")


def test_what_replaces_a_cluster_and_what_does_not(api: Api) -> None:
    made = cluster(api)
    assert api.plan(CLUSTER, {"location": "us-central1-a"}, made.state).replace == [("location",)]
    assert api.plan(CLUSTER, {"datapath_provider": "ADVANCED_DATAPATH"}, made.state).replace
    assert api.plan(CLUSTER, {"release_channel": [{"channel": "RAPID"}]}, made.state).replace == []


def test_exclusions_need_a_channel(api: Api) -> None:
    exclusion = {
        "exclusion_name": "training",
        "start_time": "2026-01-01T00:00:00Z",
        "end_time": "2026-06-01T00:00:00Z",
        "exclusion_options": [{"scope": "NO_MINOR_OR_NODE_UPGRADES"}],
    }
    window = {"recurring_window": [{"start_time": "a", "end_time": "b", "recurrence": "FREQ=DAILY"}]}
    policy = [{**window, "maintenance_exclusion": [exclusion]}]
    with pytest.raises(ApiError, match="needs a cluster in a release channel"):
        cluster(api, maintenance_policy=policy, **UNENROLLED)
    cluster(api, maintenance_policy=policy)
    backwards = [{**window, "maintenance_exclusion": [{**exclusion, "end_time": "2025-01-01T00:00:00Z"}]}]
    with pytest.raises(ApiError, match="ends before it starts"):
        cluster(api, "d", maintenance_policy=backwards)


# ---- pools


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
        ({"placement_policy": [{"type": "COMPACT"}], "node_count": 1501}, "at most 1500 nodes"),
        (
            {"node_config": node("a2-highgpu-2g", guest_accelerator=[{"type": "nvidia-l4", "count": 2}])},
            "a2-highgpu-2g has 2 nvidia-tesla-a100, not 2 nvidia-l4",
        ),
        ({"node_config": node("a4-highgpu-8g", disk_type="pd-ssd")}, "pd-ssd disk type cannot be used"),
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
    scaling = [{"total_max_node_count": 4}]
    pool(api, made, "later", **slice_of("ct6e-standard-4t", "4x4", 0, autoscaling=scaling))
    with pytest.raises(ApiError, match="needs 4 nodes, but autoscaling allows 8"):
        pool(
            api,
            made,
            "wider",
            **slice_of("ct6e-standard-4t", "4x4", 0, autoscaling=[{"total_max_node_count": 8}]),
        )


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
    pool(api, made, network_config=nets, node_config=node("a3-ultragpu-8g"))
    with pytest.raises(ApiError, match=r"for zone 'us-central1-a' only, and the pool is in us-central1-b"):
        pool(api, made, "q", network_config=nets, node_locations=["us-central1-b"])
    with pytest.raises(ApiError, match="e2-medium has no RDMA network interfaces"):
        pool(api, made, "r", network_config=nets)


# ---- with Terraform


def stacked(**more: Any) -> dict[str, Any]:
    """A cluster with everything that it needs, and one pool."""
    enabled = {"depends_on": ["google_project_service.container"]}
    return {
        "google_project_service": {
            name: {"service": f"{name}.googleapis.com", "disable_on_destroy": False}
            for name in ("container", "compute")
        },
        "google_compute_network": {
            "main": {
                "name": "net",
                "auto_create_subnetworks": False,
                "depends_on": ["google_project_service.compute"],
            }
        },
        "google_compute_subnetwork": {
            "main": {
                "name": "net",
                "network": "${google_compute_network.main.id}",
                "ip_cidr_range": "10.0.0.0/20",
                "secondary_ip_range": RANGES,
            }
        },
        CLUSTER: {
            "main": {
                "name": "main",
                "location": "us-central1",
                "network": "${google_compute_network.main.id}",
                "subnetwork": "${google_compute_subnetwork.main.id}",
                "ip_allocation_policy": NAMED,
                "initial_node_count": 1,
                "remove_default_node_pool": True,
                "deletion_protection": False,
                "workload_identity_config": {"workload_pool": "my-project.svc.id.goog"},
                "resource_labels": {"team": "ml"},
                **enabled,
                **more,
            }
        },
        POOL: {
            "main": {
                "name": "main",
                "cluster": "${google_container_cluster.main.id}",
                "node_count": 1,
                "node_config": {
                    "machine_type": "e2-standard-4",
                    "workload_metadata_config": {"mode": "GKE_METADATA"},
                },
            }
        },
    }


PLANES = "google_container_cluster.main.control_plane_endpoints_config.0"
OUTPUT = {
    "host": {"value": "${google_container_cluster.main.endpoint}"},
    "authority": {
        "value": "${google_container_cluster.main.master_auth.0.cluster_ca_certificate}",
        "sensitive": True,
    },
    "name": {"value": f"${{{PLANES}.dns_endpoint_config.0.endpoint}}"},
    "groups": {"value": "${google_container_node_pool.main.instance_group_urls}"},
}


@pytest.mark.terraform
def test_a_whole_life_of_a_cluster(world: World, stack: Stack) -> None:
    folder = stack(stacked(), output=OUTPUT, data={"google_client_config": {"me": {}}})
    world.terraform(folder, "validate")
    assert set(world.changes(folder).values()) == {"create"}
    world.apply(folder)
    assert world.changes(folder) == {}
    world.destroy(folder)
    assert {one.type for one in world.resources()} <= {"google_project_service"}


@pytest.mark.terraform
def test_what_changes_a_cluster(world: World, stack: Stack) -> None:
    world.apply(stack(stacked(), output=OUTPUT))
    resources = stacked(release_channel={"channel": "STABLE"})
    resources[POOL]["main"]["node_config"]["spot"] = True
    assert world.changes(stack(resources, output=OUTPUT)) == {
        f"{CLUSTER}.main": "update",
        f"{POOL}.main": "replace",
    }
    world.apply(stack(resources, output=OUTPUT))
    assert world.changes(stack(resources, output=OUTPUT)) == {}
    # A block that the cloud has filled in stays when the configuration drops it.
    assert world.changes(stack(stacked(), output=OUTPUT)) == {f"{POOL}.main": "replace"}


@pytest.mark.terraform
def test_a_protected_cluster_is_not_destroyed(world: World, stack: Stack) -> None:
    folder = stack(stacked(deletion_protection=True))
    world.apply(folder)
    assert "deletion_protection is set to true" in world.destroy(folder, check=False).stderr
    folder = stack(stacked())
    world.apply(folder)
    world.destroy(folder)
