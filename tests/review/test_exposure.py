"""What objects in manifests and metadata of machines open: each found where it is, and where it is new."""

import json
from typing import Any

import pytest
from review.conftest import STAYS, Change, Repository

ANYBODY = ("system:anonymous", "system:unauthenticated", "system:authenticated")


def manifest(kind: str, name: str = "x", **content: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, **content}


def release(*objects: dict[str, Any]) -> dict[str, Any]:
    """Objects as our own chart gets them."""
    values = {"objects": {f"{each['kind']}/{number}": each for number, each in enumerate(objects)}}
    return {"name": "manifests", "values": [json.dumps(values)]}


def bound(role: str, *subjects: str, kind: str = "ClusterRoleBinding") -> dict[str, Any]:
    return manifest(
        kind,
        roleRef={"kind": "ClusterRole", "name": role},
        subjects=[{"kind": "Group", "name": each} for each in subjects],
    )


def role(**rule: Any) -> dict[str, Any]:
    return manifest(
        "ClusterRole", rules=[{"apiGroups": ["*"], "resources": ["pods"], "verbs": ["get"], **rule}]
    )


def service(type_: str, annotations: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    found = manifest("Service", spec={"type": type_, **spec})
    found["metadata"]["annotations"] = annotations or {}
    return found


def pod(container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "c", "securityContext": container or {}}]
    return manifest("DaemonSet", spec={"template": {"spec": {"containers": containers, **spec}}})


def custom(**spec: Any) -> dict[str, Any]:
    return manifest("MPIJob", spec={"mpiReplicaSpecs": {"Worker": pod(**spec)["spec"]}})


@pytest.mark.parametrize(
    ("content", "name", "severity"),
    [
        *((bound("view", each), "public_iam", "critical") for each in ANYBODY),
        (bound("view", "system:anonymous", kind="RoleBinding"), "public_iam", "critical"),
        (bound("cluster-admin", "team"), "broad_role", "high"),
        (bound("cluster-admin", "team", kind="RoleBinding"), "broad_role", "high"),
        (bound("edit", "team"), "broad_role", "high"),
        (bound("view", "system:masters"), "broad_role", "high"),
        (bound("view", "team"), "iam_granted", "medium"),
        (role(verbs=["*"], resources=["*"]), "broad_role", "high"),
        (role(resources=["*"]), "broad_role", "high"),
        (role(verbs=["*"]), "broad_role", "medium"),
        (role(verbs=["escalate"], resources=["clusterroles"]), "broad_role", "medium"),
        (service("LoadBalancer"), "public_address", "high"),
        (service("LoadBalancer", {"note": "internal"}), "public_address", "high"),
        (service("LoadBalancer", loadBalancerSourceRanges=["203.0.113.0/24"]), "public_address", "medium"),
        (service("ClusterIP", externalIPs=["203.0.113.7"]), "public_address", "high"),
        (service("NodePort"), "node_port", "medium"),
        (manifest("Ingress", spec={}), "public_address", "high"),
        (manifest("Ingress", spec={"ingressClassName": "nginx"}), "public_address", "high"),
        (manifest("Gateway", spec={"gatewayClassName": "gke-l7-gxlb"}), "public_address", "high"),
        (pod(hostNetwork=True), "host_access", "high"),
        (pod(hostPID=True), "host_access", "high"),
        (pod(hostIPC=True), "host_access", "high"),
        (pod(volumes=[{"name": "v", "hostPath": {"path": "/"}}]), "host_access", "high"),
        (custom(volumes=[{"name": "v", "hostPath": {"path": "/etc"}}]), "host_access", "high"),
        (pod({"privileged": True}), "privileged_pods", "high"),
        (pod({"capabilities": {"add": ["SYS_ADMIN"]}}), "privileged_pods", "high"),
        (manifest("List", items=[service("NodePort")]), "node_port", "medium"),
    ],
)
@pytest.mark.parametrize("how", ["release", "manifest", "text"])
def test_an_object_that_opens_something(
    found: Any, how: str, content: dict[str, Any], name: str, severity: str
) -> None:
    change: Change = {
        "release": ("helm_release.manifests", None, release(content)),
        "manifest": ("kubernetes_manifest.x", None, {"manifest": content}),
        "text": ("kubectl_manifest.x", None, {"yaml_body": json.dumps(content)}),
    }[how]
    if how == "text" and content["kind"] == "List":
        content["items"][0].setdefault("apiVersion", "v1")
    assert found(STAYS, change) == {name: severity}
    # What was there before is no news, whatever else changes beside it.
    quiet = manifest("ConfigMap", data={"a": "b"})
    if how == "release":
        assert name not in found(STAYS, (change[0], release(content), release(content, quiet)))
    assert name not in found(STAYS, (change[0], change[2], None))


@pytest.mark.parametrize(
    "content",
    [
        service("ClusterIP"),
        service("LoadBalancer", {"networking.gke.io/load-balancer-type": "Internal"}),
        service("LoadBalancer", {"service.beta.kubernetes.io/azure-load-balancer-internal": "true"}),
        manifest("Ingress", spec={"ingressClassName": "gce-internal"}),
        manifest("Gateway", spec={"gatewayClassName": "gke-l7-rilb"}),
        role(),
        pod({"privileged": False, "capabilities": {"drop": ["ALL"]}}, hostNetwork=False),
        manifest("ConfigMap", data={"hostNetwork": "true"}),
    ],
)
def test_an_object_that_opens_nothing(found: Any, content: dict[str, Any]) -> None:
    assert found(STAYS, ("helm_release.manifests", None, release(content))) == {}


TYPED_POD = {
    "metadata": [{"name": "d"}],
    "spec": [{"template": [{"spec": [{"host_network": True, "volume": [{"host_path": [{"path": "/"}]}]}]}]}],
}


@pytest.mark.parametrize(
    ("change", "name", "severity"),
    [
        (("kubernetes_daemon_set_v1.d", None, TYPED_POD), "host_access", "medium"),
        (
            (
                "kubernetes_cluster_role_binding_v1.b",
                None,
                {"role_ref": [{"kind": "ClusterRole", "name": "cluster-admin"}], "subject": [{"name": "a"}]},
            ),
            "broad_role",
            "high",
        ),
        (
            (
                "kubernetes_role_binding.b",
                None,
                {"role_ref": [{"name": "view"}], "subject": [{"name": "system:authenticated"}]},
            ),
            "public_iam",
            "critical",
        ),
        (
            (
                "kubernetes_cluster_role_v1.r",
                None,
                {"rule": [{"api_groups": ["*"], "resources": ["*"], "verbs": ["*"]}]},
            ),
            "broad_role",
            "high",
        ),
    ],
)
def test_types_of_terraform_are_read_too(found: Any, change: Change, name: str, severity: str) -> None:
    assert found(STAYS, change) == {name: severity}


TEMPLATE = "google_compute_instance_template.t"
SAFE = {"enable-oslogin": "TRUE"}
KEYS_ALLOWED = {"os_login_off": "medium", "ssh_keys": "medium"}


@pytest.mark.parametrize("address", [TEMPLATE, "google_compute_instance.i"])
@pytest.mark.parametrize(
    ("metadata", "risks"),
    [
        ({"enable-oslogin": "FALSE"}, KEYS_ALLOWED),
        ({}, KEYS_ALLOWED),
        ({"enable-oslogin": "FALSE", "block-project-ssh-keys": "TRUE"}, {"os_login_off": "medium"}),
        ({**SAFE, "serial-port-enable": "TRUE"}, {"serial_port": "high"}),
        ({**SAFE, "serial-port-enable": "1"}, {"serial_port": "high"}),
        ({**SAFE, "startup-script-url": "gs://b/x.sh"}, {"remote_script": "high"}),
        ({**SAFE, "shutdown-script-url": "gs://b/x.sh"}, {"remote_script": "high"}),
        ({**SAFE, "serial-port-enable": "FALSE", "startup-script": "echo"}, {}),
    ],
)
def test_metadata_that_opens_a_machine(
    found: Any, address: str, metadata: dict[str, str], risks: dict[str, str]
) -> None:
    after = {"metadata": metadata, "_replaced": True}
    assert found(STAYS, (address, {"metadata": SAFE}, after)) == risks
    assert found(STAYS, (address, {"metadata": metadata}, {**after, "labels": {"a": "b"}})) == {}


def test_keys_in_metadata_are_worse_than_those_of_the_project(found: Any) -> None:
    keys = {"enable-oslogin": "FALSE", "block-project-ssh-keys": "TRUE", "ssh-keys": "me:ssh-ed25519 A me"}
    assert found(STAYS, (TEMPLATE, None, {"metadata": keys}))["ssh_keys"] == "high"


def test_nodes_of_a_pool_get_public_addresses(found: Any) -> None:
    pool = {"name": "p", "network_config": [{"enable_private_nodes": False}]}
    assert found(STAYS, ("google_container_node_pool.p", None, pool))["public_nodes"] == "medium"


def test_advice_for_one_cloud_is_not_given_for_another(advice: Any) -> None:
    rule = {
        "access": "Allow", "direction": "Inbound", "protocol": "Tcp", "destination_port_range": "22",
        "source_address_prefix": "*",
    }  # fmt: skip
    (told,) = advice(STAYS, ("azurerm_network_security_rule.r", None, rule))
    assert "Identity-Aware Proxy" not in told
    assert "Azure Bastion" in told


# ---- with the lines of blueprints

GKE = """\
clusterprint: v1
kind: gke
name: open
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
network: {cidr: 10.84.0.0/14}
cluster:
  authorized_networks: [{name: office, cidr: 203.0.113.0/24}]
node_pools:
  - {name: workers, machine_type: n2-standard-4, count: 1}
workloads:
  manifests:
    - inline: |
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings, namespace: default}
"""

BINDING = """\
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: Group, name: "system:unauthenticated", apiGroup: rbac.authorization.k8s.io}]
"""


@pytest.mark.slow
def test_manifests_are_judged_at_their_line(empty: Repository) -> None:
    (empty.folder / "clusterprint.policy.yaml").write_text("policy: v1\nforbid: [exposure]\n")
    empty.write("open.yaml", GKE)
    empty.commit()
    indented = "".join(f"        {line}\n" for line in BINDING.splitlines())
    empty.write("open.yaml", f"{GKE}{indented}    - file: ./manifests/more.yaml\n")
    empty.write("manifests/more.yaml", f"# a Service\n{json.dumps(service('LoadBalancer', None))}\n")
    report = empty.review()
    assert report["verdict"]["exit_code"] == 5
    places = {each["name"]: (each["place"]["file"], each["place"]["line"]) for each in report["risks"]}
    assert places["public_iam"] == ("blueprints/open.yaml", len(GKE.splitlines()) + 2)
    assert places["public_address"] == ("blueprints/manifests/more.yaml", 2)
    assert {each["rule"] for each in report["policy"]["findings"]} == {"exposure"}


@pytest.mark.slow
def test_metadata_is_judged_at_its_line(repository: Repository) -> None:
    repository.edit(
        "team.yaml",
        "  count: 2\n",
        "  count: 3\n  os_login: false\nmetadata:\n  serial-port-enable: 'TRUE'\n  startup-script-url: gs://b/x\n",
    )
    repository.edit("team.yaml", "startup_script:\n  file: ./setup.sh\n", "")
    report = repository.review()
    keys = {each["name"]: each["place"]["key"] for each in report["risks"]}
    assert keys["os_login_off"] == "nodes.os_login"
    assert keys["serial_port"] == "metadata.serial-port-enable"
    assert keys["remote_script"] == "metadata.startup-script-url"
