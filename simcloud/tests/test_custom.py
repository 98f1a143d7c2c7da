"""Custom resources in simulated clusters: those that would never be ready are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from inside import CLUSTER, CONNECTION, chart, values

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Api

CLASS = "cloud.google.com/compute-class"
TAINT = {"key": CLASS, "value": "h200", "effect": "NO_SCHEDULE"}
ROCE = "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"


@pytest.fixture
def helm(api: Api, connect: Callable[..., Api], tmp_path: Path) -> Api:
    """Helm in a cluster with two more networks, a pool of a compute class, and a plain one."""
    for name, cidr, profile in (("net", "10.20.0.0/24", None), ("rdma", "10.30.0.0/24", ROCE)):
        config = {"auto_create_subnetworks": False, "network_profile": profile}
        api.create("google_compute_network", name=name, **config)
        api.create("google_compute_subnetwork", name=f"{name}-0", network=name, ip_cidr_range=cidr)
    multi = {"enable_multi_networking": True, "datapath_provider": "ADVANCED_DATAPATH"}
    made = api.create("google_container_cluster", name="c", **CLUSTER, **multi)
    of_class = [{"labels": {CLASS: "h200"}, "taint": [TAINT]}]
    api.create("google_container_node_pool", name="flex", cluster=made.id, node_count=1, node_config=of_class)
    with api.cloud.open() as contents:
        contents.runs_in(str(tmp_path))
    chart(tmp_path)
    return connect("helm", kubernetes=CONNECTION)


def install(helm: Api, *objects: dict[str, Any], name: str = "r", **more: Any) -> None:
    release = {"name": name, "chart": "./objects", "namespace": "default", **more}
    helm.create("helm_release", values=values(*objects), **release)


def made(api: str, kind: str, name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name}, "spec": spec}


def parameters(vpc: str, subnet: str, mode: str) -> dict[str, Any]:
    spec = {"vpc": vpc, "vpcSubnet": subnet, "deviceMode": mode}
    return made("networking.gke.io/v1", "GKENetworkParamSet", "extra", **spec)


def network(name: str = "extra") -> dict[str, Any]:
    reference = {"group": "networking.gke.io", "kind": "GKENetworkParamSet", "name": name}
    return made("networking.gke.io/v1", "Network", "extra", type="Device", parametersRef=reference)


def job(**spec: Any) -> dict[str, Any]:
    """A job of the training operator's kind, whose definition comes with a chart."""
    body = {"containers": [{"name": "main", "image": "busybox"}], **spec}
    return made(
        "kubeflow.org/v2beta1", "MPIJob", "j", mpiReplicaSpecs={"Worker": {"template": {"spec": body}}}
    )


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([parameters("nowhere", "net-0", "NetDevice")], "there is no network 'nowhere'"),
        ([parameters("net", "rdma-0", "NetDevice")], "network 'net' has no subnetwork 'rdma-0'"),
        ([parameters("net", "net-0", "RDMA")], "device mode RDMA does not go with network 'net'"),
        (
            [parameters("rdma", "rdma-0", "NetDevice")],
            "device mode NetDevice does not go with network 'rdma'",
        ),
        ([network()], "there is no GKENetworkParamSet 'extra'"),
        (
            [made("cloud.google.com/v1", "ComputeClass", "h200", priorities=[{"nodepools": ["spot"]}])],
            "there is no node pool 'spot'",
        ),
        (
            [made("cloud.google.com/v1", "ComputeClass", "b200", priorities=[{"nodepools": ["flex"]}])],
            "node pool 'flex' needs the label and the taint cloud.google.com/compute-class=b200",
        ),
        (
            [
                made(
                    "cloud.google.com/v1", "ComputeClass", "l4", priorities=[{"machineType": "g2-standard-4"}]
                )
            ],
            "a rule without node pools needs nodePoolAutoCreation",
        ),
        (
            [
                made(
                    "cloud.google.com/v1",
                    "ComputeClass",
                    "v6e",
                    nodePoolAutoCreation={"enabled": True},
                    priorities=[{"tpu": {"type": "tpu-v6e-slice", "count": 8}}],
                )
            ],
            "tpu needs a type, a count and a topology",
        ),
    ],
)
def test_objects_that_would_never_be_ready(helm: Api, objects: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ApiError, match=message):
        install(helm, *objects)


def test_objects_that_will_be_ready(helm: Api) -> None:
    install(helm, parameters("net", "net-0", "NetDevice"), network())
    install(
        helm,
        made("cloud.google.com/v1", "ComputeClass", "h200", priorities=[{"nodepools": ["flex"]}]),
        name="classes",
    )


def test_networks_need_a_cluster_for_them(api: Api, helm: Api) -> None:
    (cluster,) = api.cloud.read().of("google_container_cluster")
    api.update(cluster, enable_multi_networking=False)
    with pytest.raises(ApiError, match="the cluster has no multi-networking"):
        install(helm, parameters("net", "net-0", "NetDevice"))


def test_queues_name_what_is_there(helm: Api) -> None:
    kueue = {"chart": "oci://registry.example/charts/kueue", "repository": None}
    helm.create("helm_release", name="kueue", **kueue)
    api = "kueue.x-k8s.io/v1beta1"
    flavor = made(api, "ResourceFlavor", "spot")
    resources = [{"name": "cpu", "nominalQuota": 1}, {"name": "memory", "nominalQuota": 1}]
    group = {"coveredResources": ["cpu", "memory"], "flavors": [{"name": "spot", "resources": resources}]}
    queue = made(api, "ClusterQueue", "all", resourceGroups=[group])
    local = made(api, "LocalQueue", "mine", clusterQueue="all")
    with pytest.raises(ApiError, match="there is no ResourceFlavor 'spot'"):
        install(helm, queue)
    with pytest.raises(ApiError, match="there is no ClusterQueue 'all'"):
        install(helm, local)
    turned = {**group, "flavors": [{"name": "spot", "resources": resources[::-1]}]}
    with pytest.raises(ApiError, match="must have the covered resources, in their order"):
        install(helm, flavor, made(api, "ClusterQueue", "all", resourceGroups=[turned]))
    install(helm, flavor, queue, local)


def test_what_kueue_would_refuse_or_never_admit(helm: Api) -> None:
    helm.create("helm_release", name="kueue", chart="oci://registry.example/charts/kueue", repository=None)
    helm.create("helm_release", name="jobset", chart="oci://registry.example/charts/jobset", repository=None)
    api = "kueue.x-k8s.io/v1beta2"
    flavor = made(api, "ResourceFlavor", "h100", topologyName="machines")
    with pytest.raises(ApiError, match="there is no Topology 'machines'"):
        install(helm, flavor)
    resources = [{"name": "cpu", "nominalQuota": 1, "borrowingLimit": 1}]
    group = {"coveredResources": ["cpu"], "flavors": [{"name": "h100", "resources": resources}]}
    alone = made(api, "ClusterQueue", "team", resourceGroups=[group])
    with pytest.raises(ApiError, match="borrowingLimit of flavor 'h100' must be nil when cohort is empty"):
        install(helm, made(api, "ResourceFlavor", "h100"), alone)
    job = made("jobset.x-k8s.io/v1alpha2", "JobSet", "train", replicatedJobs=[])
    job["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "mine"}
    with pytest.raises(ApiError, match="there is no LocalQueue 'mine'"):
        install(helm, job)
    shared = made(api, "ClusterQueue", "team", cohortName="all", resourceGroups=[group])
    topology = made(api, "Topology", "machines", levels=[{"nodeLabel": "kubernetes.io/hostname"}])
    install(helm, topology, flavor, shared, made(api, "LocalQueue", "mine", clusterQueue="team"))
    install(helm, job, name="job")


def test_claims_of_pods_are_made_from_a_template(helm: Api) -> None:
    helm.create("helm_release", name="mpi", chart="https://charts.example.com/mpi-operator")
    helm.create("helm_release", name="dra", chart="https://charts.example.com/nvidia-dra-driver-gpu")
    claiming = job(resourceClaims=[{"name": "nvlink", "resourceClaimTemplateName": "j-channel"}])
    with pytest.raises(ApiError, match="nobody makes the resource claim template 'j-channel'"):
        install(helm, claiming)
    channel = {"resourceClaimTemplate": {"name": "j-channel"}}
    install(helm, claiming, made("resource.nvidia.com/v1beta1", "ComputeDomain", "j", channel=channel))


def test_groups_of_ray_workers_have_hosts(helm: Api) -> None:
    operator = {"chart": "https://charts.example.com/kuberay-operator", "namespace": "kube-system"}
    helm.create("helm_release", name="kuberay-operator", **operator)
    group = {"groupName": "slice", "minReplicas": 0, "maxReplicas": 1}
    for name, hosts in (("one", {}), ("four", {"numOfHosts": 4})):
        install(helm, made("ray.io/v1", "RayCluster", name, workerGroupSpecs=[{**group, **hosts}]), name=name)
    none: dict[str, Any] = {"workerGroupSpecs": [{**group, "numOfHosts": 0}]}
    kinds: dict[str, dict[str, Any]] = {
        "RayCluster": none,
        "RayJob": {"rayClusterSpec": none},
        "RayService": {"rayClusterConfig": none},
    }
    for kind, spec in kinds.items():
        with pytest.raises(ApiError, match="worker group 'slice' has replicas of no host"):
            install(helm, made("ray.io/v1", kind, "none", **spec))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"serviceAccountName": "nobody"}, "there is no service account 'nobody'"),
        ({"volumes": [{"name": "f", "configMap": {"name": "files"}}]}, "there is no config map 'files'"),
        (
            {"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]},
            "there is no persistent volume claim 'data'",
        ),
        (
            {
                "volumes": [
                    {"name": "d", "ephemeral": {"volumeClaimTemplate": {"spec": {"storageClassName": "x"}}}}
                ]
            },
            "there is no storage class 'x'",
        ),
        ({"nodeSelector": {"cloud.google.com/gke-nodepool": "gone"}}, "no node pool takes its pods"),
    ],
)
def test_pods_of_custom_resources(helm: Api, spec: dict[str, Any], message: str) -> None:
    operator = {"chart": "oci://registry.example/charts/mpi-operator", "namespace": "kube-system"}
    helm.create("helm_release", name="mpi-operator", **operator)
    with pytest.raises(ApiError, match=message):
        install(helm, job(**spec))
    install(helm, job(nodeSelector={CLASS: "h200"}), name="ok")


def test_interfaces_name_networks(helm: Api) -> None:
    interfaces = [{"interfaceName": f"eth{n}", "network": one} for n, one in enumerate(("default", "extra"))]
    annotated = job()
    annotated["metadata"]["annotations"] = {"networking.gke.io/interfaces": json.dumps(interfaces)}
    operator = {"chart": "oci://registry.example/charts/mpi-operator", "namespace": "kube-system"}
    helm.create("helm_release", name="mpi-operator", **operator)
    with pytest.raises(ApiError, match="there is no Network 'extra' for eth1"):
        install(helm, annotated)
    install(helm, parameters("net", "net-0", "NetDevice"), network(), name="networks")
    install(helm, annotated)


ROUTES = "gateway.networking.k8s.io/v1"
GATEWAY = made(ROUTES, "Gateway", "models", gatewayClassName="gke-l7-rilb")
POOL = {"group": "inference.networking.k8s.io", "kind": "InferencePool", "name": "llama"}
ROUTE = made(
    ROUTES,
    "HTTPRoute",
    "llama",
    parentRefs=[{"name": "models", "namespace": "default"}],
    rules=[{"backendRefs": [POOL]}],
)


@pytest.fixture
def served(api: Api, helm: Api) -> Api:
    """The same cluster with the Gateway API, in a version that knows pools of models."""
    (cluster,) = api.cloud.read().of("google_container_cluster")
    channel = [{"channel": "CHANNEL_STANDARD"}]
    version = "1.34.1-gke.2037000"
    api.update(cluster, gateway_api_config=channel, min_master_version=version)
    return helm


def proxies(api: Api) -> None:
    more = {"purpose": "REGIONAL_MANAGED_PROXY", "role": "ACTIVE", "network": "default"}
    api.create("google_compute_subnetwork", name="proxies", ip_cidr_range="10.40.0.0/26", **more)


def test_gateways_come_with_their_api(helm: Api) -> None:
    with pytest.raises(ApiError, match='no matches for kind "Gateway"'):
        install(helm, GATEWAY)


def test_a_regional_gateway_needs_a_subnet_for_its_proxies(api: Api, served: Api) -> None:
    with pytest.raises(ApiError, match="there is no active proxy-only subnetwork in us-central1"):
        install(served, GATEWAY)
    proxies(api)
    install(served, GATEWAY)


def test_a_route_needs_its_gateway_and_its_pool(api: Api, served: Api) -> None:
    proxies(api)
    with pytest.raises(ApiError, match="there is no Gateway 'default/models'"):
        install(served, ROUTE)
    install(served, GATEWAY, name="gateway")
    with pytest.raises(ApiError, match="there is no InferencePool 'default/llama'"):
        install(served, ROUTE)
    chooser = "oci://registry.example/charts/inferencepool"
    served.create("helm_release", name="llama", namespace="default", chart=chooser, repository=None)
    install(served, ROUTE)


def test_an_old_version_knows_no_pools(api: Api, served: Api) -> None:
    (cluster,) = api.cloud.read().of("google_container_cluster")
    api.update(cluster, min_master_version="1.33.5-gke.1308000")
    pool = made("inference.networking.k8s.io/v1", "InferencePool", "llama")
    with pytest.raises(ApiError, match='no matches for kind "InferencePool"'):
        install(served, pool)
