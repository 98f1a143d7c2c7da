"""Clusters and node pools for the tests of the simulated cloud."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

CLUSTER = "google_container_cluster"
POOL = "google_container_node_pool"
ROCE = "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"
RANGES = [
    {"range_name": "pods", "ip_cidr_range": "10.4.0.0/16"},
    {"range_name": "services", "ip_cidr_range": "10.5.0.0/20"},
]
NAMED = [{"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"}]
MULTI: dict[str, Any] = {"enable_multi_networking": True, "datapath_provider": "ADVANCED_DATAPATH"}
UNENROLLED: dict[str, Any] = {"release_channel": [{"channel": "UNSPECIFIED"}]}


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
    """A cluster in the network `net`, which is made if it is not there; its first pool is removed."""
    if not [one for one in api.cloud.read().of("google_compute_subnetwork") if one.state["name"] == "net"]:
        network(api)
    config: dict[str, Any] = {
        "location": "us-central1", "network": "net", "subnetwork": "net", "ip_allocation_policy": NAMED,
        "initial_node_count": 1, "remove_default_node_pool": True, **more,
    }  # fmt: skip
    return api.create(CLUSTER, name=name, **config)


def pool(api: Api, within: Record, name: str = "p", **more: Any) -> Record:
    """A pool of one node in one zone."""
    config: dict[str, Any] = {"node_count": 1, "node_locations": ["us-central1-a"], **more}
    return api.create(POOL, name=name, cluster=within.id, **config)


def node(machine_type: str = "e2-medium", **more: Any) -> list[dict[str, Any]]:
    """The block of a node's configuration."""
    return [{"machine_type": machine_type, **more}]
