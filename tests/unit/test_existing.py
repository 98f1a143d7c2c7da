"""Clusters that are there already: what is wanted of them, and how pods find their nodes."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.kubernetes import RequirementPlan
from clusterprint.plan.part import StackPlan
from clusterprint.resolve import resolve

JOB = {"name": "hpl", "image": "my/hpl:v1", "workers": 2, "command": ["xhpl"]}
PLATFORM = {"name": "platform", "location": "us-central1"}


def plans(existing: dict[str, Any], job: dict[str, Any] = JOB, **fields: Any) -> tuple[StackPlan, ...]:
    data = {
        "clusterprint": "v1",
        "kind": "gke",
        "name": "guest",
        "project": "my-project",
        "region": "us-central1",
        "backend": {"gcs": {"bucket": "my-state"}},
        "cluster": {"existing": existing},
        "workloads": {"mpi": {"jobs": [job]}},
        **fields,
    }
    return resolve(msgspec.convert(data, GkeBlueprint), Path())


def workloads(existing: dict[str, Any], job: dict[str, Any] = JOB, **fields: Any) -> GkeWorkloadsPlan:
    found = plans(existing, job, **fields)[-1]
    assert isinstance(found, GkeWorkloadsPlan)
    return found


def requirements(**fields: Any) -> list[RequirementPlan]:
    found = workloads(PLATFORM, **fields).access.existing
    assert found is not None
    return list(found.requirements)


def test_no_stack_is_made_for_a_cluster_to_which_nothing_is_added() -> None:
    assert [each.name for each in plans(PLATFORM)] == ["guest-workloads"]


def test_pools_are_added_and_no_cluster_is_made() -> None:
    added, inside = plans(PLATFORM, node_pools=[{"name": "cpu", "machine_type": "n2-standard-4"}])
    assert isinstance(added, GkeClusterPlan)
    assert added.control_plane is None
    assert added.system_pool is None
    assert [each.key for each in added.pools] == ["cpu"]
    assert added.networks == ()
    assert inside.name == "guest-workloads"


def test_jobs_run_on_any_node_unless_nodes_are_described() -> None:
    [job] = workloads(PLATFORM).mpi.jobs  # type: ignore[union-attr]
    assert (job.workers.nodes, job.workers.tolerations, job.workers.gpus) == ({}, (), 0)
    nodes = {**PLATFORM, "nodes": [{"name": "l4", "gpus": 2}]}
    [job] = workloads(nodes).mpi.jobs  # type: ignore[union-attr]
    assert job.workers.nodes == {"cloud.google.com/gke-nodepool": "l4"}
    assert [each.key for each in job.workers.tolerations] == ["nvidia.com/gpu"]
    assert (job.workers.gpus, job.slots) == (2, 2)


def test_outside_of_gke_nodes_are_found_by_their_labels_only() -> None:
    labels = {"gpu": "h100"}
    nodes = [{"name": "h100", "gpus": 8, "labels": labels}, {"name": "rest"}]
    plan = workloads({"context": "kind-lab", "nodes": nodes}, {**JOB, "node_pool": "h100"})
    assert plan.mpi.jobs[0].workers.nodes == labels  # type: ignore[union-attr]
    plan = workloads({"context": "kind-lab", "nodes": nodes}, {**JOB, "node_pool": "rest"})
    assert plan.mpi.jobs[0].workers.nodes == {}  # type: ignore[union-attr]
    assert (plan.access.context, plan.access.existing, plan.access.stack) == ("kind-lab", None, "")
    assert plan.reached.context == "kind-lab"


@pytest.mark.parametrize(
    ("fields", "attribute"),
    [
        ({"node_pools": [{"name": "cpu", "machine_type": "n2-standard-4"}]}, "enable_autopilot"),
        (
            {"node_pools": [{"name": "mega", "machine_type": "a3-megagpu-8g"}]},
            "enable_multi_networking",
        ),
        (
            {"workload_identity": [{"name": "trainer", "roles": ["roles/pubsub.publisher"]}]},
            "workload_identity_config[0].workload_pool",
        ),
        (
            {"storage": {"volumes": [{"name": "models", "kind": "bucket"}]}},
            "addons_config[0].gcs_fuse_csi_driver_config[0].enabled",
        ),
        (
            {"workloads": {"jobset": {}, "tpu_provisioner": {"image": "my/p:v1"}}},
            "release_channel[0].channel",
        ),
        ({"workloads": {"nvidia_dra": {}}}, "enable_k8s_beta_apis[0].enabled_apis"),
    ],
)
def test_what_a_cluster_must_have_follows_from_what_is_asked_for(
    fields: dict[str, Any], attribute: str
) -> None:
    assert attribute not in {each.attribute for each in requirements()}
    assert attribute in {each.attribute for each in requirements(**fields)}


@pytest.mark.parametrize(
    ("version", "since"),
    [("1.33", (33, 0, 0)), ("1.33.4", (33, 4, 0)), ("1.33.4-gke.1036000", (33, 4, 1036000))],
)
def test_a_version_is_the_oldest_that_it_can_mean(version: str, since: tuple[int, int, int]) -> None:
    found = requirements(cluster={"version": version, "existing": PLATFORM})
    assert [each.since for each in found if "cluster.version" in each.message] == [(since,)]


def test_components_and_machines_say_since_when_they_work() -> None:
    fields = {"node_pools": [{"name": "b200", "machine_type": "a4-highgpu-8g"}], "workloads": {"kueue": {}}}
    messages = " ".join(each.message for each in requirements(**fields) if each.since)
    assert "kueue wants" in messages
    assert "a4-highgpu-8g wants" in messages
