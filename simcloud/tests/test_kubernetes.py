"""The truths of Kubernetes and Helm: what the API server would refuse, and what it would make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from inside import CLUSTER, CONNECTION, PEM, TOLERATED, meta, pod

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Api

    from clusterprint_simcloud import Cloud, Record

    Connect = Callable[..., Api]


def namespace(k8s: Api, name: str = "jobs") -> Record:
    return k8s.create("kubernetes_namespace_v1", metadata=meta(name))


def config_map(k8s: Api, name: str = "files", where: str = "jobs", **data: str) -> Record:
    return k8s.create("kubernetes_config_map_v1", metadata=meta(name, where), data=data or {"a": "b"})


def deployment(k8s: Api, name: str = "app", where: str = "jobs", **spec: Any) -> Record:
    selector = [{"match_labels": spec.pop("selector", {"app": "x"})}]
    body = [{"selector": selector, "template": pod(**spec)}]
    return k8s.create("kubernetes_deployment_v1", metadata=meta(name, where), spec=body)


# ---- clusters, namespaces, names


def test_labels_are_for_namespaces_that_are_there(k8s: Api) -> None:
    labels = {"api_version": "v1", "kind": "Namespace", "labels": {"watched": "true"}}
    made = k8s.create("kubernetes_labels", metadata=meta("default"), **labels)
    assert made.state["id"] == "apiVersion=v1,kind=Namespace,name=default"
    with pytest.raises(ApiError, match='The resource "nowhere" does not exist'):
        k8s.create("kubernetes_labels", metadata=meta("nowhere"), **labels)


def test_without_a_host_nothing_answers(connect: Connect) -> None:
    with pytest.raises(ApiError, match=r"localhost.*connection refused"):
        namespace(connect("kubernetes"))


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"host": "https://34.72.0.99"}, "i/o timeout"),
        ({"cluster_ca_certificate": "LS0tLS1CRUdJTiBD"}, "unable to parse bytes as PEM block"),
        ({"cluster_ca_certificate": None}, "certificate signed by unknown authority"),
        ({"token": None}, "Unauthorized"),
    ],
)
def test_connections_that_fail(connect: Connect, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ApiError, match=message):
        namespace(connect("kubernetes", **{**CONNECTION, **wrong}))


def test_the_name_of_a_control_plane_is_open_when_told_so(
    api: Api, connect: Connect, cluster: Record
) -> None:
    (planes,) = cluster.state["control_plane_endpoints_config"]
    name = planes["dns_endpoint_config"][0]["endpoint"]
    by_name = {"host": f"https://{name}", "token": "simulated"}
    with pytest.raises(ApiError, match="i/o timeout"):
        namespace(connect("kubernetes", **by_name))
    opened = [{"dns_endpoint_config": [{"endpoint": name, "allow_external_traffic": True}]}]
    api.update(cluster, control_plane_endpoints_config=opened)
    namespace(connect("kubernetes", **by_name))
    with pytest.raises(ApiError, match="certificate signed by unknown authority"):
        namespace(connect("kubernetes", **{**by_name, "cluster_ca_certificate": PEM}), "other")


def test_a_cluster_takes_everything_with_it(api: Api, k8s: Api, cluster: Record, cloud: Cloud) -> None:
    namespace(k8s)
    config_map(k8s)
    k8s.create("kubernetes_cluster_role_v1", metadata=meta("reader"))
    api.delete(cluster)
    assert not [one for one in cloud.read().records.values() if one.type.startswith("kubernetes_")]


def test_a_namespace_must_be_there(k8s: Api) -> None:
    with pytest.raises(ApiError, match='namespaces "jobs" not found'):
        config_map(k8s)
    namespace(k8s)
    assert config_map(k8s).state["id"] == "jobs/files"
    config_map(k8s, where="kube-system")


def test_a_name_is_given_once_per_namespace_and_cluster(api: Api, k8s: Api, connect: Connect) -> None:
    namespace(k8s)
    config_map(k8s)
    with pytest.raises(ApiError, match='configmaps "files" already exists'):
        config_map(k8s)
    namespace(k8s, "other")
    config_map(k8s, where="other")
    other = api.create("google_container_cluster", name="d", **CLUSTER)
    elsewhere = connect("kubernetes", **{**CONNECTION, "host": f"https://{other.state['endpoint']}"})
    namespace(elsewhere)
    config_map(elsewhere)


def test_namespaces_are_there_already_and_longer_names_are_refused(k8s: Api) -> None:
    with pytest.raises(ApiError, match='namespaces "default" already exists'):
        namespace(k8s, "default")
    with pytest.raises(ApiError, match="no more than 63 characters"):
        namespace(k8s, "a" * 64)


def test_a_namespace_takes_what_is_in_it(k8s: Api, cloud: Cloud) -> None:
    made = namespace(k8s)
    kept = config_map(k8s, where="default")
    config_map(k8s)
    deployment(k8s)
    k8s.delete(made)
    left = [one.key for one in cloud.read().of("kubernetes_config_map_v1", "kubernetes_deployment_v1")]
    assert left == [kept.key]


# ---- configuration


def test_a_config_map_has_a_limit(k8s: Api) -> None:
    with pytest.raises(ApiError, match="must have at most 1048576 bytes"):
        config_map(k8s, where="default", big="x" * 1048577)


def test_immutable_data_are_replaced(k8s: Api) -> None:
    kind = "kubernetes_config_map_v1"
    made = k8s.create(kind, metadata=meta("fixed"), data={"a": "1"}, immutable=True)
    assert k8s.plan(kind, {"data": {"a": "2"}}, made.state).replace == [("data",)]
    free = k8s.create(kind, metadata=meta("free"), data={"a": "1"})
    assert k8s.plan(kind, {"data": {"a": "2"}}, free.state).replace == []


# ---- pods


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"service_account_name": "nobody"}, 'serviceaccounts "nobody" not found'),
        ({"priority_class_name": "top"}, 'no PriorityClass with name "top" not found'),
        ({"volume": [{"name": "v", "config_map": [{"name": "none"}]}]}, 'configmap "none" not found'),
        (
            {
                "volume": [
                    {"name": "v", "config_map": [{"name": "files", "items": [{"key": "z", "path": "z"}]}]}
                ]
            },
            'configmap "files" has no key "z"',
        ),
        (
            {"volume": [{"name": "v", "persistent_volume_claim": [{"claim_name": "data"}]}]},
            'persistentvolumeclaims "data" not found',
        ),
        (
            {"container": {"env_from": [{"config_map_ref": [{"name": "none"}]}]}},
            'configmap "none" not found',
        ),
        (
            {"container": {"volume_mount": [{"name": "v", "mount_path": "/v"}]}},
            r'containers\[0\].volumeMounts\[0\].name: Not found: "v"',
        ),
        (
            {"container": {"resources": [{"requests": {"nvidia.com/gpu": "8"}}]}},
            'Limit must be set for non overcommitable resource "nvidia.com/gpu"',
        ),
        ({"selector": {"app": "y"}}, "`selector` does not match template `labels`"),
    ],
)
def test_pods_that_could_not_start(k8s: Api, spec: dict[str, Any], message: str) -> None:
    namespace(k8s)
    config_map(k8s)
    with pytest.raises(ApiError, match=message):
        deployment(k8s, **spec)


def test_pods_that_can_start(k8s: Api) -> None:
    namespace(k8s)
    config_map(k8s)
    k8s.create("kubernetes_service_account_v1", metadata=meta("runner", "jobs"))
    made = deployment(
        k8s,
        service_account_name="runner",
        volume=[
            {"name": "files", "config_map": [{"name": "files", "items": [{"key": "a", "path": "a"}]}]},
            {"name": "maybe", "config_map": [{"name": "none", "optional": True}]},
        ],
        container={"volume_mount": [{"name": "files", "mount_path": "/files"}]},
    )
    assert made.state["spec"][0]["replicas"] == "1"


def test_jobs_are_replaced_with_their_pods_and_nothing_else_of_these_changes(k8s: Api) -> None:
    kind = "kubernetes_job_v1"
    made = k8s.create(kind, metadata=meta("run"), spec=[{"template": pod()}])
    changed = [{**made.state["spec"][0], "template": pod(container={"image": "busybox:1.37"})}]
    assert k8s.plan(kind, {"spec": changed}, made.state).replace
    labelled = [
        {"template": [{**made.state["spec"][0]["template"][0], "metadata": [{"labels": {"a": "b"}}]}]}
    ]
    with pytest.raises(ApiError, match="field is immutable"):
        k8s.update(made, spec=labelled)
    with pytest.raises(ApiError, match='restartPolicy: Required value: valid values: "OnFailure", "Never"'):
        k8s.create(kind, metadata=meta("again"), spec=[{"template": pod(restart_policy="Always")}])


# ---- nodes


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"toleration": [{**TOLERATED[0], "key": "google.com/tpu"}]},
        {"toleration": TOLERATED, "node_selector": {"kind": "tpu"}},
        {"container": {"resources": [{"limits": {"nvidia.com/gpu": "2"}}]}},
        {"toleration": TOLERATED, "container": {"resources": [{"limits": {"google.com/tpu": "4"}}]}},
        {"toleration": TOLERATED, "node_selector": {"cloud.google.com/gke-nodepool": "other"}},
    ],
)
def test_pods_without_a_place(tainted: Api, spec: dict[str, Any]) -> None:
    with pytest.raises(ApiError, match="no node pool has nodes that match"):
        deployment(tainted, where="default", **spec)


def test_pods_with_a_place(tainted: Api) -> None:
    deployment(tainted, where="default", toleration=TOLERATED, node_selector={"kind": "gpu"})
    deployment(tainted, "any", where="default", toleration=[{"operator": "Exists"}])
    gpus = {"resources": [{"limits": {"nvidia.com/gpu": "1"}}]}
    deployment(tainted, "tolerated-by-gke", where="default", container=gpus)
    body = [{"selector": [{"match_labels": {"app": "x"}}], "template": pod()}]
    tainted.create("kubernetes_daemon_set_v1", metadata=meta("every"), spec=body)


# ---- roles


def test_bindings_name_what_is_there(k8s: Api) -> None:
    kind = "kubernetes_cluster_role_binding_v1"
    api_group = "rbac.authorization.k8s.io"
    role = [{"api_group": api_group, "kind": "ClusterRole", "name": "view"}]
    account = [{"kind": "ServiceAccount", "name": "default", "namespace": "kube-system"}]
    k8s.create(kind, metadata=meta("b"), role_ref=role, subject=account)
    with pytest.raises(ApiError, match=r'clusterroles.rbac.authorization.k8s.io "none" not found'):
        k8s.create(kind, metadata=meta("c"), role_ref=[{**role[0], "name": "none"}], subject=account)
    with pytest.raises(ApiError, match='serviceaccounts "none" not found in namespace "kube-system"'):
        k8s.create(kind, metadata=meta("d"), role_ref=role, subject=[{**account[0], "name": "none"}])
