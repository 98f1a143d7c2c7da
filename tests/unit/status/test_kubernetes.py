"""Status of nodes and jobs of a Kubernetes cluster, with a kubectl that answers from a table."""

from pathlib import Path
from typing import Any

import pytest
from stand_ins import Answer, StandIns
from support import plans_of

from clusterprint.status.cluster import machines_of
from clusterprint.status.machines import Job, Node
from clusterprint.status.programs import Programs

pytestmark = pytest.mark.process

GKE = """\
clusterprint: v1
kind: gke
name: bench
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 2}]
workloads: {jobset: {}}
"""
MADE = "2026-11-20T10:00:00Z"


def node(name: str, pool: str, ready: str, **spec: Any) -> dict[str, Any]:
    labels = {"cloud.google.com/gke-nodepool": pool, "topology.kubernetes.io/zone": "us-east4-a"}
    return {
        "metadata": {"name": name, "labels": labels, "creationTimestamp": MADE},
        "spec": spec,
        "status": {"conditions": [{"type": "Ready", "status": ready, "message": "no network"}]},
    }


def jobs(kind: str, name: str, **status: Any) -> dict[str, Any]:
    return {"items": [{"kind": kind, "metadata": {"name": name, "namespace": "ml"}, "status": status}]}


def test_nodes_and_jobs_are_what_the_cluster_says(tmp_path: Path) -> None:
    pool = {"items": [node("n1", "workers", "False"), node("s1", "system", "True", unschedulable=True)]}
    complete = {"type": "Completed", "status": "True", "message": "jobset completed successfully"}
    owner = {"kind": "TrainJob", "name": "llm", "controller": True}
    of_trainer = {"kind": "JobSet", "metadata": {"name": "llm", "ownerReferences": [owner]}}
    kubectl = StandIns(
        tmp_path / "bin",
        kubectl=[
            Answer("get nodes", pool),
            Answer(
                "get jobsets",
                {"items": [*jobs("JobSet", "train", conditions=[complete])["items"], of_trainer]},
            ),
            Answer("get trainjobs", jobs("TrainJob", "llm", conditions=[{**complete, "type": "Complete"}])),
            Answer("get rayjobs", jobs("RayJob", "tune", jobStatus="RUNNING")),
            Answer(
                "get rayclusters",
                jobs("RayCluster", "r", state="ready", readyWorkerReplicas=1, desiredWorkerReplicas=2),
            ),
            Answer(
                "get rayservices", jobs("RayService", "s", conditions=[{"type": "Ready", "status": "True"}])
            ),
            Answer("get ", err='error: the server doesn\'t have a resource type "mpijobs"', code=1),
        ],
    )
    found = machines_of(plans_of(GKE), Programs(kubectl.environment))
    assert found.nodes == (
        Node("s1", "system", "us-east4-a", "ready", "accepts no pods (cordoned)", MADE),
        Node("n1", "workers", "us-east4-a", "not ready", "no network", MADE),
        Node("workers (2 of 2)", "workers", "", "missing"),
    )
    assert found.jobs == (
        Job("JobSet", "train", "ml", "succeeded", "jobset completed successfully"),
        Job("TrainJob", "llm", "ml", "succeeded", "jobset completed successfully"),
        Job("RayCluster", "r", "ml", "ready", "1 of 2 workers are ready"),
        Job("RayJob", "tune", "ml", "running", ""),
        Job("RayService", "s", "ml", "ready", ""),
    )
    assert found.unknown == ()
    assert all("--context=gke_my-gpu-project_us-east4_bench" in call for call in kubectl.calls)


def test_jobs_that_kueue_has_given_up_say_so(tmp_path: Path) -> None:
    suspended = {"type": "Suspended", "status": "True", "message": "jobset is suspended"}
    waiting = [jobs("JobSet", name, conditions=[suspended])["items"][0] for name in ("first", "second")]
    for each in waiting:
        each["metadata"]["uid"] = each["metadata"]["name"]
    workload = {
        "kind": "Workload",
        "metadata": {"name": "jobset-first", "namespace": "ml", "ownerReferences": [{"uid": "first"}]},
        "spec": {"active": False},
        "status": {
            "conditions": [{"type": "Evicted", "reason": "Deactivated", "message": "Too many retries."}]
        },
    }
    kubectl = StandIns(
        tmp_path / "bin",
        kubectl=[
            Answer("get nodes", {"items": []}),
            Answer("get jobsets", {"items": waiting}),
            Answer("get workloads", {"items": [workload]}),
            Answer("get ", err='error: the server doesn\'t have a resource type "mpijobs"', code=1),
        ],
    )
    first, second = machines_of(plans_of(GKE), Programs(kubectl.environment)).jobs
    assert first.state == "deactivated"
    assert first.message.startswith("Kueue does not start it any more: Too many retries; once that")
    assert "patch workloads.kueue.x-k8s.io jobset-first --namespace=ml" in first.message
    assert (second.state, second.message) == ("queued", "jobset is suspended")


def test_a_cluster_that_is_not_known_to_kubectl_comes_with_the_command_that_fixes_it(tmp_path: Path) -> None:
    refused = Answer("get nodes", err='error: context "gke" does not exist', code=1)
    kubectl = StandIns(tmp_path / "bin", kubectl=[refused])
    (said,) = machines_of(plans_of(GKE), Programs(kubectl.environment)).unknown
    assert 'context "gke" does not exist' in said
    assert "gcloud container clusters get-credentials bench" in said
