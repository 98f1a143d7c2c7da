"""Networks of accelerators that Google Kubernetes Engine makes, and pods that claim what they bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from inside import CONNECTION, chart, values
from pools import MULTI, cluster, network, node, pool

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Api

V2 = {"datapath_provider": "ADVANCED_DATAPATH"}
AUTO = [{"accelerator_network_profile": "auto"}]
H200 = [{"type": "nvidia-h200-141gb", "count": 8}]
DRIVER = {"cloud.google.com/gke-networking-dra-driver": "true"}
KEY = "compute.googleapis.com/reservation-name"
PROFILE = "gke.networks.io/accelerator-network-profile"


def ultra(**more: Any) -> list[dict[str, Any]]:
    config: dict[str, Any] = {"guest_accelerator": H200, "disk_type": "hyperdisk-balanced", "labels": DRIVER}
    return node("a3-ultragpu-8g", **config, **more)


def test_gke_adds_a_label_to_those_of_the_pool(api: Api) -> None:
    made = pool(api, cluster(api, **V2), network_config=AUTO, node_config=ultra(spot=True))
    assert made.state["node_config"][0]["labels"] == {**DRIVER, PROFILE: "auto"}


@pytest.mark.parametrize(
    ("config", "within", "message"),
    [
        ({"network_config": [{"accelerator_network_profile": "best"}]}, V2, "'best' does not exist"),
        ({"node_config": node("a2-highgpu-1g", spot=True)}, V2, "a2-highgpu-1g takes no accelerator network"),
        ({}, {}, "needs Dataplane V2"),
        ({}, {**V2, "min_master_version": "1.34.0-gke.2201000"}, "needs GKE 1.34.1-gke.1829001 or later"),
        ({"node_locations": ["us-central1-a", "us-central1-b"]}, V2, "needs one zone, not us-central1-a"),
        ({"node_config": ultra(spot=True, gpudirect_strategy="TCPX")}, V2, "TCPX is not supported"),
        (
            {"node_config": ultra(spot=True, gpudirect_strategy="RDMA"), "network_config": None},
            V2,
            "RDMA needs an accelerator network profile",
        ),
    ],
)
def test_what_gke_makes_no_networks_for(
    api: Api, config: dict[str, Any], within: dict[str, Any], message: str
) -> None:
    wanted = {"network_config": AUTO, "node_config": ultra(spot=True), **config}
    with pytest.raises(ApiError, match=message):
        pool(api, cluster(api, **within), **wanted)


def test_multi_networking_is_another_way(api: Api) -> None:
    made = cluster(api, **MULTI)
    network(api, "extra", "10.30.0.0/24")
    beside = [{"additional_node_network_configs": [{"network": "extra", "subnetwork": "extra"}]}]
    pool(api, made, "own", network_config=beside, node_config=node("n2-standard-8"))
    with pytest.raises(ApiError, match="DRANET does not go with multi-networking"):
        pool(api, made, "managed", network_config=AUTO, node_config=ultra(spot=True))


def metal(**more: Any) -> dict[str, Any]:
    gb300 = [{"type": "nvidia-gb300", "count": 4}]
    reserved = [{"consume_reservation_type": "SPECIFIC_RESERVATION", "key": KEY, "values": ["r"]}]
    config = {"guest_accelerator": gb300, "disk_type": "hyperdisk-balanced", "reservation_affinity": reserved}
    found = {"network_config": AUTO, "node_config": node("a4x-maxgpu-4g-metal", labels=DRIVER, **config)}
    return {**found, "placement_policy": [{"type": "COMPACT", "policy_name": "rack"}], **more}


def test_bare_metal_nodes_need_a_cluster_without_shielded_ones(api: Api) -> None:
    policy = [{"type": "HIGH_THROUGHPUT", "accelerator_topology": "1x72"}]
    api.create("google_compute_resource_policy", name="rack", region="us-central1", workload_policy=policy)
    with pytest.raises(ApiError, match="need a cluster without shielded nodes"):
        pool(api, cluster(api, **V2), **metal())
    made = cluster(api, "d", enable_shielded_nodes=False, **V2)
    scaling = [{"total_min_node_count": 0, "total_max_node_count": 18}]
    with pytest.raises(ApiError, match="are not autoscaled"):
        pool(api, made, **metal(node_count=None, autoscaling=scaling))
    pool(api, made, **metal(node_count=18))


@pytest.fixture
def helm(api: Api, connect: Callable[..., Api], tmp_path: Path) -> Api:
    """Helm in a cluster with a plain pool, and one whose networks GKE makes."""
    made = cluster(api, **V2)
    pool(api, made, "plain")
    pool(api, made, "h200", network_config=AUTO, node_config=ultra(spot=True))
    with api.cloud.open() as contents:
        contents.runs_in(str(tmp_path))
    chart(tmp_path)
    found = connect("helm", kubernetes=CONNECTION)
    found.create("helm_release", name="mpi", chart="https://charts.example.com/mpi-operator")
    return found


def template(name: str, device: str, count: int) -> dict[str, Any]:
    exact = {"deviceClassName": device, "allocationMode": "ExactCount", "count": count}
    spec = {"spec": {"devices": {"requests": [{"name": "network", "exactly": exact}]}}}
    metadata = {"name": name, "namespace": "default"}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": metadata,
        "spec": spec,
    }


def job(claim: str = "network") -> dict[str, Any]:
    container = {"name": "main", "image": "busybox", "resources": {"claims": [{"name": claim}]}}
    body = {
        "containers": [container],
        "tolerations": [{"operator": "Exists"}],
        "nodeSelector": {PROFILE: "auto"},
        "resourceClaims": [{"name": "network", "resourceClaimTemplateName": "cards"}],
    }
    spec = {"mpiReplicaSpecs": {"Worker": {"template": {"spec": body}}}}
    return {"apiVersion": "kubeflow.org/v2beta1", "kind": "MPIJob", "metadata": {"name": "j"}, "spec": spec}


def install(helm: Api, name: str, *objects: dict[str, Any]) -> None:
    made = {"name": name, "chart": "./objects", "namespace": "default"}
    helm.create("helm_release", values=values(*objects), **made)


def test_pods_claim_what_nodes_have(helm: Api) -> None:
    with pytest.raises(ApiError, match="nobody makes the resource claim template 'cards'"):
        install(helm, "job", job())
    install(helm, "claims", template("cards", "mrdma.google.com", 8))
    with pytest.raises(ApiError, match="uses the claim 'nvlink', which the pod does not have"):
        install(helm, "job", job("nvlink"))
    install(helm, "job", job())


@pytest.mark.parametrize(("device", "count"), [("mrdma.google.com", 9), ("netdev.google.com", 1)])
def test_what_no_node_has_is_never_claimed(helm: Api, device: str, count: int) -> None:
    install(helm, "claims", template("cards", device, count))
    with pytest.raises(ApiError, match="no node pool takes its pods"):
        install(helm, "job", job())
