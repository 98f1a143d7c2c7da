"""The truths of Google Kubernetes Engine: what it would refuse of clusters."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest
from pools import CLUSTER, MULTI, NAMED, POOL, RANGES, UNENROLLED, cluster, network, node, pool

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api, Stack

    from clusterprint_simcloud import World


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


def test_without_addresses_the_endpoint_is_the_name(api: Api) -> None:
    planes = [{"ip_endpoints_config": [{"enabled": False}]}]
    assert cluster(api, control_plane_endpoints_config=planes).state["endpoint"].endswith(".gke.goog")


@pytest.mark.parametrize(("scope", "returned"), [("ALL", [{"scope": "ALL"}]), ("NONE", [])])
def test_the_scope_of_monitoring_is_returned_unless_it_is_none(
    api: Api, scope: str, returned: list[dict[str, str]]
) -> None:
    def monitoring(scope: str) -> dict[str, Any]:
        prometheus = {"enabled": True, "auto_monitoring_config": [{"scope": scope}]}
        return {"monitoring_config": [{"enable_components": [], "managed_prometheus": [prometheus]}]}

    for made in (cluster(api, "a", **monitoring(scope)), api.update(cluster(api, "b"), **monitoring(scope))):
        (found,) = made.state["monitoring_config"][0]["managed_prometheus"]
        assert found["auto_monitoring_config"] == returned


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
