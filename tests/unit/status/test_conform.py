"""A running cluster compared with its blueprint, with objects as the API server returns them."""

from pathlib import Path
from typing import Any

import pytest
from stand_ins import Answer, StandIns
from support import plans_of

from clusterprint.load import load_text
from clusterprint.status.inside.conform import as_data, compare, conform
from clusterprint.status.inside.objects import known
from clusterprint.status.inside.places import Places
from clusterprint.status.programs import Programs

GKE = """\
clusterprint: v1
kind: gke
name: bench
project: my-gpu-project
region: us-east4
zone: us-east4-b
backend: {gcs: {bucket: my-terraform-state}}
node_pools:
  - {name: h100, machine_type: a3-highgpu-8g, count: 1, capacity: {model: on_demand}}
workloads:
  jobset: {}
  kueue: {local_queues: [{name: default, namespace: language}]}
"""
PLANS = plans_of(GKE)
_READ = load_text(GKE.encode(), "bench.yaml", Path()).document
assert _READ
PLACES = Places(_READ, PLANS)
Object = dict[str, Any]
TRUE = [{"type": "Ready", "status": "True"}, {"type": "Active", "status": "True"}]


def node(pool: str, machine: str, gpus: str = "", version: str = "v1.34.1-gke.1", name: str = "") -> Object:
    labels = {"cloud.google.com/gke-nodepool": pool, "node.kubernetes.io/instance-type": machine}
    allocatable = {"nvidia.com/gpu": gpus} if gpus else {}
    status = {"conditions": TRUE, "allocatable": allocatable, "nodeInfo": {"kubeletVersion": version}}
    return {"kind": "Node", "metadata": {"name": name or f"{pool}-0", "labels": labels}, "status": status}


def controller(name: str, version: str, ready: int = 1) -> Object:
    metadata = {
        "name": f"{name}-controller",
        "namespace": f"{name}-system",
        "labels": {"helm.sh/chart": f"{name}-{version}"},
        "annotations": {"meta.helm.sh/release-name": name},
    }
    return {
        "kind": "Deployment",
        "metadata": metadata,
        "spec": {"replicas": 1},
        "status": {"readyReplicas": ready},
    }


def queue(kind: str, name: str, namespace: str = "", conditions: Any = TRUE) -> Object:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"kind": kind, "metadata": metadata, "status": {"conditions": conditions}}


WORKLOADS: Any = PLANS[-1]
CLUSTER: Any = PLANS[0]
SYSTEM = CLUSTER.system_pool
SOUND: list[Object] = [
    node("h100", "a3-highgpu-8g", "8"),
    *(
        node(SYSTEM.key, SYSTEM.node.machine_type, name=f"system-{number}")
        for number in range(SYSTEM.nodes_per_zone * len(SYSTEM.zones))
    ),
    controller("jobset", WORKLOADS.charts[0].version),
    controller("kueue", WORKLOADS.queues.chart.version),
    *(queue("ClusterQueue", each.name) for each in WORKLOADS.queues.cluster_queues),
    queue("LocalQueue", "default", "language"),
]


def said(objects: list[Object], server: str = "v1.34.1-gke.1") -> list[tuple[str, str, str]]:
    found = compare(PLANS, PLACES, known(objects), server).differences
    return [
        (each.phase, f"{each.object} {each.text}", each.field.path if each.field else "") for each in found
    ]


def test_a_cluster_that_is_as_its_blueprint_says_has_no_differences() -> None:
    found = compare(PLANS, PLACES, known(SOUND), "v1.34.1-gke.1")
    assert found.differences == ()
    assert found.compared > len(SOUND)


POOL = "node_pools.h100"
CHANGED: dict[str, tuple[Object, tuple[str, str, str], str]] = {
    "devices": (
        node("h100", "a3-highgpu-8g", "7"),
        ("devices", "node h100-0 offers 7 nvidia.com/gpu, not 8", f"{POOL}.machine_type"),
        "v1.34.1",
    ),
    "machine type": (
        node("h100", "a3-megagpu-8g", "8"),
        ("nodes", "node h100-0 is a a3-megagpu-8g, not a a3-highgpu-8g", f"{POOL}.machine_type"),
        "v1.34.1",
    ),
    "old nodes": (
        node("h100", "a3-highgpu-8g", "8", "v1.31.9"),
        ("versions", "node h100-0 runs v1.31.9, 3 minor versions behind the control plane", POOL),
        "v1.34.1",
    ),
    "version": (
        controller("jobset", "0.1.0"),
        (
            "components",
            "deployment jobset-system/jobset-controller is of jobset-0.1.0, not "
            + WORKLOADS.charts[0].version,
            "workloads.jobset",
        ),
        "v1.34.1",
    ),
    "not ready": (
        controller("jobset", WORKLOADS.charts[0].version, ready=0),
        (
            "components",
            "deployment jobset-system/jobset-controller 0 of 1 pods are ready",
            "workloads.jobset",
        ),
        "v1.34.1",
    ),
    "queue": (
        queue(
            "LocalQueue",
            "default",
            "language",
            [{"type": "Active", "status": "False", "message": "LocalQueue is stopped"}],
        ),
        ("queues", "LocalQueue language/default LocalQueue is stopped", "workloads.kueue.local_queues"),
        "v1.34.1",
    ),
}


@pytest.mark.parametrize("case", CHANGED)
def test_each_difference_has_the_field_that_says_what_is_expected(case: str) -> None:
    changed, expected, server = CHANGED[case]

    def same(each: Object) -> bool:
        return (each["kind"], each["metadata"]["name"]) == (changed["kind"], changed["metadata"]["name"])

    assert said([changed if same(each) else each for each in SOUND], server) == [expected]


def test_nodes_and_controllers_that_are_missing_are_differences() -> None:
    left = [each for each in SOUND if each["metadata"]["name"] not in {"h100-0", "jobset-controller"}]
    assert said(left) == [
        ("nodes", "pool h100 has 0 of 1 nodes", f"{POOL}.count"),
        ("components", "jobset has no controllers in the cluster", "workloads.jobset"),
    ]


OWN = """\
  charts:
    - {name: watch, location: "https://example.com/stack", version: 70.0.0+a, namespace: watch-system}
    - {name: kinds, location: "https://example.com/kinds", version: 1.0.0, namespace: kinds-system}
"""


@pytest.mark.parametrize(
    ("label", "differences"),
    [("stack-70.0.0_a", 0), ("stack-69.0.0", 1), ("stack-metrics-5.30.0", 0), ("grafana-8.10.1", 0), ("", 0)],
)
def test_charts_inside_a_chart_have_versions_of_their_own(label: str, differences: int) -> None:
    own = controller("watch", "")
    own["metadata"]["labels"] = {"helm.sh/chart": label}
    found = compare(plans_of(GKE + OWN), PLACES, known([*SOUND, own]), "v1.34.1").differences
    assert len(found) == differences


@pytest.mark.process
def test_what_cannot_be_read_is_not_known(tmp_path: Path) -> None:
    kubectl = StandIns(tmp_path / "bin", kubectl=[Answer("", err="Forbidden", code=1)])
    found = as_data(conform(PLANS, PLACES, Programs(kubectl.environment)))
    assert found == {"differences": [], "compared": 0, "unknown": ["everything: kubectl: Forbidden"]}
    simulated = conform(PLANS, PLACES, Programs({}, simulated=True))
    assert simulated.unknown == (
        "everything: the simulated cloud has no kubectl",
        "components, queues, volumes: a simulated cloud has only nodes and jobs",
    )
