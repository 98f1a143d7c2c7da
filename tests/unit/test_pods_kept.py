"""Pods of jobs and services are not moved by the autoscaler, and end in the time that they need."""

import json
from typing import Any

import pytest
from support import GOLDENS
from unit.conftest import Inside

KEPT = ("cluster-autoscaler.kubernetes.io/safe-to-evict", "false")
OBJECTS = {"MPIJob", "JobSet", "TrainingRuntime", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService"}


def templates(part: Any) -> list[dict[str, Any]]:
    """All pod templates below a part of an object."""
    if isinstance(part, list):
        return [each for item in part for each in templates(item)]
    if not isinstance(part, dict):
        return []
    if "containers" in part.get("spec", {}):
        return [part]
    return [each for item in part.values() for each in templates(item)]


@pytest.mark.parametrize("golden", ["gke-workloads", "gke-jobs", "gke-lustre-training", "ray-everything"])
def test_no_pod_of_a_job_is_moved(golden: str) -> None:
    stacks = json.loads((GOLDENS / f"{golden}.tf.json").read_text("utf-8"))
    found = [
        (made["kind"], pod)
        for stack in stacks.values()
        for release in stack.get("resource", {}).get("helm_release", {}).values()
        for value in release.get("values", ())
        for made in json.loads(value).get("objects", {}).values()
        if made["kind"] in OBJECTS
        for pod in templates(made)
    ]
    assert found
    for kind, pod in found:
        assert KEPT in pod["metadata"]["annotations"].items(), kind


def test_a_service_loses_one_group_at_a_time(inside: Inside) -> None:
    plan = inside.plan(
        "cluster: {version: '1.34'}\n"
        "node_pools: [{name: l4, machine_type: g2-standard-24, count: 4}]\n"
        "workloads:\n  lws: {}\n  leader_worker_sets:\n"
        "    - {name: llm, image: 'my/llm:v1', command: [serve], size: 2, replicas: 2, port: 8000, "
        "grace_period: 5m}\n"
    )
    assert plan is not None
    from stacks.gke.leader_worker_set import leader_worker_set_objects  # takes seconds to import

    objects = leader_worker_set_objects(plan.leader_worker_sets[0])
    made, budget = objects["leader-worker-set"], objects["disruption-budget"]
    assert budget["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": {"leaderworkerset.sigs.k8s.io/name": made["metadata"]["name"]}},
    }
    for pod in templates(made):
        assert pod["spec"]["terminationGracePeriodSeconds"] == 300
