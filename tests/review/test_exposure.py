"""Exposure by manifests and metadata of machines, and whether it is new."""

import json
from pathlib import Path
from typing import Any

import pytest
from review.conftest import STAYS, Change, Repository
from support import GOLDENS

from clusterprint.review.risks._ranges import is_everybody, opens_ssh
from clusterprint.review.risks.kubernetes import openings
from clusterprint.review.stack_file import read_stack

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


AGGREGATED = "rbac.authorization.k8s.io/aggregate-to-"
READS = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}


def labelled(kind: str, label: str, value: str, **content: Any) -> dict[str, Any]:
    made = manifest(kind, **content)
    made["metadata"]["labels"] = {label: value}
    return made


def noted_pod(annotation: str, value: str) -> dict[str, Any]:
    made = pod()
    made["spec"]["template"]["metadata"] = {"annotations": {annotation: value}}
    return made


def policy(rule: dict[str, Any], kind: str = "NetworkPolicy") -> dict[str, Any]:
    return manifest(kind, spec={"podSelector": {}, "ingress": [rule]})


def admin(kind: str, peer: dict[str, Any], action: str = "Allow") -> dict[str, Any]:
    return manifest(
        kind, spec={"subject": {"namespaces": {}}, "ingress": [{"action": action, "from": [peer]}]}
    )


def attachment(preference: str) -> dict[str, Any]:
    return manifest("ServiceAttachment", spec={"connectionPreference": preference})


def volume(path: str) -> dict[str, Any]:
    return manifest("PersistentVolume", spec={"local": {"path": path}})


def custom(**spec: Any) -> dict[str, Any]:
    return manifest("MPIJob", spec={"mpiReplicaSpecs": {"Worker": pod(**spec)["spec"]}})


#: Peers of a network policy that admit everybody.
EVERYBODY: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"ipBlock": {"cidr": "0.0.0.0/0"}}],
    [{"ipBlock": {"cidr": "0.0.0.0/1"}}, {"ipBlock": {"cidr": "128.0.0.0/1"}}],
    [{"namespaceSelector": {}}],
    [{"namespaceSelector": {"matchLabels": {}}}],
    [{"namespaceSelector": {"matchExpressions": []}, "podSelector": {"matchLabels": {}}}],
)


#: The same, of a policy of administrators.
ADMINISTERED: tuple[dict[str, Any], ...] = (
    {"namespaces": {}},
    {"pods": {"namespaceSelector": {}, "podSelector": {}}},
)


@pytest.mark.parametrize(
    ("content", "name", "severity"),
    [
        *((bound("view", each), "public_iam", "critical") for each in ANYBODY),
        (bound("view", "system:anonymous", kind="RoleBinding"), "public_iam", "critical"),
        (bound("cluster-admin", "team"), "broad_role", "high"),
        (bound("cluster-admin", "team", kind="RoleBinding"), "broad_role", "high"),
        (bound("edit", "team"), "broad_role", "high"),
        (bound("edit", "team", kind="RoleBinding"), "iam_granted", "medium"),
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
        # The controls of Kubernetes' Pod Security Standards.
        (pod({"windowsOptions": {"hostProcess": True}}), "privileged_pods", "high"),
        (pod({"procMount": "Unmasked"}), "privileged_pods", "high"),
        (pod({"seccompProfile": {"type": "Unconfined"}}), "privileged_pods", "high"),
        (pod(securityContext={"seccompProfile": {"type": "Unconfined"}}), "privileged_pods", "high"),
        (pod({"appArmorProfile": {"type": "Unconfined"}}), "privileged_pods", "high"),
        (
            noted_pod("container.apparmor.security.beta.kubernetes.io/c", "unconfined"),
            "privileged_pods",
            "high",
        ),
        (pod({"seLinuxOptions": {"type": "spc_t"}}), "privileged_pods", "high"),
        (pod({"seLinuxOptions": {"user": "root"}}), "privileged_pods", "high"),
        (
            pod(securityContext={"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}),
            "privileged_pods",
            "high",
        ),
        (pod(initContainers=[{"ports": [{"hostPort": 80}]}]), "node_port", "medium"),
        (
            labelled("Namespace", "pod-security.kubernetes.io/enforce", "privileged"),
            "privileged_pods",
            "medium",
        ),
        # What gives one account the power of others.
        (role(resources=["secrets"]), "broad_role", "medium"),
        (role(resources=["nodes/proxy"]), "broad_role", "medium"),
        (role(resources=["pods/exec"], verbs=["create"]), "broad_role", "medium"),
        (role(resources=["serviceaccounts/token"], verbs=["create"]), "broad_role", "medium"),
        (role(resources=["mutatingwebhookconfigurations"], verbs=["patch"]), "broad_role", "medium"),
        (labelled("ClusterRole", f"{AGGREGATED}view", "true", rules=[READS]), "broad_role", "high"),
        (labelled("ClusterRole", f"{AGGREGATED}edit", "true"), "broad_role", "medium"),
        # Who sees and changes what is created.
        *(
            (
                manifest(kind, webhooks=[{"clientConfig": {"url": "https://evil.example"}}]),
                "foreign_webhook",
                "high",
            )
            for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
        ),
        *(
            (
                manifest(
                    "MutatingWebhookConfiguration",
                    webhooks=[{"rules": [{"apiGroups": ["*"], "resources": [every]}]}],
                ),
                "foreign_webhook",
                "medium",
            )
            for every in ("*", "*/*")
        ),
        (
            manifest(
                "CustomResourceDefinition",
                spec={"conversion": {"webhook": {"clientConfig": {"url": "https://evil.example"}}}},
            ),
            "foreign_webhook",
            "high",
        ),
        # Who may connect.
        (policy({}), "open_network_policy", "medium"),
        *((policy({"from": peers}), "open_network_policy", "medium") for peers in EVERYBODY),
        (policy({"fromEntities": ["world"]}, kind="CiliumNetworkPolicy"), "open_network_policy", "medium"),
        (policy({"fromCIDR": ["0.0.0.0/0"]}, kind="CiliumNetworkPolicy"), "open_network_policy", "medium"),
        (
            manifest("CiliumNetworkPolicy", specs=[{}, {"ingress": [{"fromEntities": ["all"]}]}]),
            "open_network_policy",
            "medium",
        ),
        *(
            (admin(kind, peer), "open_network_policy", "medium")
            for kind in ("AdminNetworkPolicy", "BaselineAdminNetworkPolicy", "ClusterNetworkPolicy")
            for peer in ADMINISTERED
        ),
        (manifest("MultiClusterIngress", spec={}), "public_address", "high"),
        (attachment("ACCEPT_AUTOMATIC"), "public_address", "high"),
        (volume("/var/lib/kubelet"), "host_access", "high"),
        (volume("/mnt/disks/../../etc"), "host_access", "high"),
        (volume("/mnt/stateful_partition"), "host_access", "high"),
        (manifest("PersistentVolume", spec={"hostPath": {"path": "/etc"}}), "host_access", "high"),
        (manifest("APIService", spec={"insecureSkipTLSVerify": True}), "foreign_webhook", "medium"),
        (
            manifest(
                "MutatingAdmissionPolicy",
                spec={"matchConstraints": {"resourceRules": [{"apiGroups": ["*"], "resources": ["*"]}]}},
            ),
            "foreign_webhook",
            "medium",
        ),
        (role(verbs=["create"], resources=["*/exec"]), "broad_role", "medium"),
        (role(verbs=["create"], resources=["*/token"]), "broad_role", "medium"),
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
        pod({"seccompProfile": {"type": "RuntimeDefault"}, "procMount": "Default"}),
        pod({"seLinuxOptions": {"type": "container_t", "level": "s0:c1,c2"}}),
        pod(securityContext={"sysctls": [{"name": "net.ipv4.tcp_syncookies", "value": "1"}]}),
        pod({"windowsOptions": {"hostProcess": False}}, ports=[{"containerPort": 80}]),
        labelled("Namespace", "pod-security.kubernetes.io/enforce", "baseline"),
        role(resources=["secrets"], resourceNames=["mine"]),
        role(resources=["secrets"], verbs=["delete"]),
        labelled("ClusterRole", f"{AGGREGATED}view", "false"),
        manifest("MutatingWebhookConfiguration", webhooks=[{"clientConfig": {"service": {"name": "s"}}}]),
        policy({"from": [{"podSelector": {}}]}),
        policy({"from": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"a": "b"}}}]}),
        policy({"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}),
        policy({"fromEndpoints": [{}]}, kind="CiliumNetworkPolicy"),
        admin("AdminNetworkPolicy", {"namespaces": {}}, action="Deny"),
        admin("AdminNetworkPolicy", {"namespaces": {"matchLabels": {"team": "ml"}}}),
        attachment("ACCEPT_MANUAL"),
        volume("/mnt/disks/ssd0"),
        manifest("APIService", spec={"service": {"name": "metrics"}}),
    ],
)
def test_an_object_that_opens_nothing(found: Any, content: dict[str, Any]) -> None:
    assert found(STAYS, ("helm_release.manifests", None, release(content))) == {}


def mounting(*paths: str, **spec: Any) -> dict[str, Any]:
    return pod(
        volumes=[{"name": str(number), "hostPath": {"path": path}} for number, path in enumerate(paths)],
        **spec,
    )


GIB, LIBRARIES = "/home/kubernetes/bin/gib", "/home/kubernetes/bin/nvidia"


@pytest.mark.parametrize(
    ("address", "content", "expected"),
    [
        ("helm_release.jobset-train", mounting(GIB, LIBRARIES), {"expected_host_access": "low"}),
        ("helm_release.lws-serve", mounting(GIB), {"expected_host_access": "low"}),
        ("helm_release.ray", mounting(GIB), {"expected_host_access": "low"}),
        (
            "helm_release.mpi-hpl",
            pod({"capabilities": {"add": ["IPC_LOCK"]}}),
            {"expected_host_access": "low"},
        ),
        ("helm_release.interfaces", mounting("/proc", hostPID=True), {"expected_host_access": "low"}),
        # Any other path, right or object is a risk as ever.
        ("helm_release.jobset-train", mounting(GIB, "/etc"), {"host_access": "high"}),
        ("helm_release.jobset-train", mounting("/"), {"host_access": "high"}),
        ("helm_release.jobset-train", mounting(f"{GIB}/.."), {"host_access": "high"}),
        ("helm_release.jobset-train", mounting(GIB, hostPID=True), {"host_access": "high"}),
        ("helm_release.jobset-train", pod({"privileged": True}), {"privileged_pods": "high"}),
        (
            "helm_release.jobset-train",
            pod({"capabilities": {"add": ["SYS_ADMIN"]}}),
            {"privileged_pods": "high"},
        ),
        ("helm_release.interfaces", mounting("/root"), {"host_access": "high"}),
        ("helm_release.manifests", mounting(GIB), {"host_access": "high"}),
        ("helm_release.chart-jobset-train", mounting(GIB), {"host_access": "high"}),
    ],
)
def test_pods_that_we_write_are_no_risk_as_long_as_they_use_what_they_need(
    found: Any, address: str, content: dict[str, Any], expected: dict[str, str]
) -> None:
    assert found(STAYS, (address, None, release(content))) == expected


def test_no_pods_of_any_golden_are_a_risk(tmp_path: Path) -> None:
    """All that clusterprint writes is known; what a golden says is public is what its blueprint says."""
    file, seen = tmp_path / "cdk.tf.json", set()
    for golden in sorted(GOLDENS.glob("*.tf.json")):
        made = json.loads(golden.read_text("utf-8"))
        for stack in [made] if "resource" in made else made.values():
            file.write_text(json.dumps(stack), "utf-8")
            for resource in read_stack(file, "stack").resources.values():
                if resource.type.startswith(("kubernetes_", "helm_")):
                    seen |= {(each.name, each.severity) for each in openings(resource)}
    assert seen == {("expected_host_access", "low"), ("public_address", "high"), ("broad_role", "medium")}


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([f"{number}.0.0.0/8" for number in range(11, 127) if number != 100], True),
        (["3.0.0.0/8", "4.0.0.0/8"], True),
        (["3.0.0.0/8", "3.0.0.0/9", "3.128.0.0/9", "10.0.0.0/8", "4.0.0.0/9"], False),
        (["3.0.0.0/8"], False),
        (["2000::/8", "2100::/8"], True),
        (["2000::/16", "3.0.0.0/8"], False),
        (["0.0.0.0/1", "128.0.0.0/1"], True),
        (["not a range", "203.0.113.0/24"], False),
        ([], False),
    ],
)
def test_many_ranges_are_together_the_whole_internet(
    found: Any, ranges: list[str], *, expected: bool
) -> None:
    assert is_everybody(ranges) is expected
    allow = [{"protocol": "tcp", "ports": ["22"]}]
    rule = {"name": "ssh", "allow": allow, "source_ranges": ranges or ["10.0.0.0/8"]}
    risks = found(STAYS, ("google_compute_firewall.ssh", None, rule))
    assert ("public_ssh" in risks) is expected


@pytest.mark.parametrize(
    ("protocol", "ports", "opens"),
    [
        ("tcp", ["443", "20-30"], True),
        ("tcp", ["443", "22"], True),
        ("tcp", [], True),
        ("tcp", ["443", "23-30"], False),
        ("udp", ["22"], False),
        ("tcp", ["ssh"], False),
    ],
)
def test_one_of_several_ports_opens_ssh(protocol: str, ports: list[str], *, opens: bool) -> None:
    assert opens_ssh(protocol, ports) is opens


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
        ({**SAFE, "user-data": "#cloud-config"}, {"metadata_script": "medium"}),
        ({**SAFE, "shutdown-script": "rm -rf /"}, {"metadata_script": "medium"}),
        ({**SAFE, "block-project-ssh-keys": "false"}, {"ssh_keys": "medium"}),
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
