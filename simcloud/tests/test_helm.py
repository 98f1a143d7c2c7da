"""The truths of Helm: what a release needs, what it brings, and what its objects would wait for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from inside import CLUSTER, NODE_PORT, TOLERATED, chart, meta, pod, values

from clusterprint_simcloud import Fault
from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Api, Stack

    from clusterprint_simcloud import Cloud, Record, World

    Connect = Callable[..., Api]

QUEUE = {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "ClusterQueue", "metadata": {"name": "all"}}

DRIVER = "multitier-checkpoint.csi.storage.gke.io"


def release(helm: Api, name: str, chart: str, where: str = "default", **more: Any) -> Record:
    if not chart.startswith("."):
        more = {"repository": "oci://registry.example/charts", **more}
    return helm.create("helm_release", name=name, chart=chart, namespace=where, **more)


@pytest.fixture
def own(cloud: Cloud, tmp_path: Path) -> str:
    """A chart of our own beside the stack."""
    with cloud.open() as contents:
        contents.runs_in(str(tmp_path))
    return chart(tmp_path)


def test_a_release_needs_its_namespace_or_makes_it(helm: Api, k8s: Api) -> None:
    with pytest.raises(ApiError, match='namespaces "kueue-system" not found'):
        release(helm, "kueue", "kueue", "kueue-system")
    made = release(helm, "kueue", "kueue", "kueue-system", create_namespace=True)
    assert (made.state["status"], made.state["metadata"]["revision"]) == ("deployed", 1)
    with pytest.raises(ApiError, match='namespaces "kueue-system" already exists'):
        k8s.create("kubernetes_namespace_v1", metadata=meta("kueue-system"))
    with pytest.raises(ApiError, match="cannot re-use a name that is still in use"):
        release(helm, "kueue", "kueue", "kueue-system")


def test_definitions_come_before_their_objects(helm: Api, own: str) -> None:
    with pytest.raises(
        ApiError, match=r'no matches for kind "ClusterQueue" in version "kueue.x-k8s.io/v1beta1"'
    ):
        release(helm, "queues", own, values=values(QUEUE))
    kueue = release(helm, "kueue", "kueue")
    queues = release(helm, "queues", own, values=values(QUEUE))
    with pytest.raises(ApiError, match="exists and cannot be imported into the current release"):
        release(helm, "more-queues", own, values=values(QUEUE))
    with pytest.raises(ApiError, match=r"objects of release .*/default/queues have finalizers"):
        helm.delete(kueue)
    helm.delete(queues)
    helm.delete(kueue)
    with pytest.raises(ApiError, match="ensure CRDs are installed first"):
        release(helm, "other-queues", own, values=values({**QUEUE, "metadata": {"name": "other"}}))


def test_a_chart_may_bring_its_own_definitions(helm: Api, own: str, tmp_path: Path) -> None:
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "mpijobs.kubeflow.org"},
        "spec": {"group": "kubeflow.org"},
    }
    job = {"apiVersion": "kubeflow.org/v2beta1", "kind": "MPIJob", "metadata": {"name": "hpl"}}
    with pytest.raises(ApiError, match='no matches for kind "MPIJob"'):
        release(helm, "together", own, values=values(definition, job))
    (tmp_path / "objects" / "crds").mkdir()
    (tmp_path / "objects" / "crds" / "crd.yaml").write_text(json.dumps(definition))
    release(helm, "together", own, values=values(job))


def test_what_google_manages_is_there(helm: Api, own: str) -> None:
    network = {"apiVersion": "networking.gke.io/v1", "kind": "Network", "metadata": {"name": "rdma-0"}}
    release(helm, "networks", own, values=values(network))


def test_an_add_on_brings_the_definitions_of_ray(api: Api, helm: Api, own: str, cluster: Record) -> None:
    ray = {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "ray"}}
    with pytest.raises(ApiError, match='no matches for kind "RayCluster"'):
        release(helm, "ray", own, values=values(ray))
    api.update(cluster, addons_config=[{"ray_operator_config": [{"enabled": True}]}])
    release(helm, "ray", own, values=values(ray))


def test_an_add_on_brings_the_definition_of_checkpoints(
    api: Api, helm: Api, own: str, cluster: Record
) -> None:
    """Its group ends as those that every cluster has."""
    kind = {"apiVersion": "checkpointing.gke.io/v1", "kind": "CheckpointConfiguration"}
    one = {**kind, "metadata": {"name": "c"}, "spec": {"cloudStorageBucketName": "ckpt"}}
    with pytest.raises(ApiError, match='no matches for kind "CheckpointConfiguration"'):
        release(helm, "checkpoints", own, values=values(one))
    addons = {"high_scale_checkpointing_config": [{"enabled": True}]}
    api.update(cluster, addons_config=[addons])
    with pytest.raises(ApiError, match="the cluster has no Cloud Storage FUSE driver"):
        release(helm, "checkpoints", own, values=values(one))
    api.update(cluster, addons_config=[{**addons, "gcs_fuse_csi_driver_config": [{"enabled": True}]}])
    flat = api.create("google_storage_bucket", name="ckpt", location="us-central1")
    with pytest.raises(ApiError, match="bucket 'ckpt' has no hierarchical namespace"):
        release(helm, "checkpoints", own, values=values(one))
    api.delete(flat)
    folders = {"hierarchical_namespace": [{"enabled": True}], "uniform_bucket_level_access": True}
    api.create("google_storage_bucket", name="ckpt", location="us-central1", **folders)
    with pytest.raises(ApiError, match="GKE's account for copies may not write to bucket 'ckpt'"):
        release(helm, "checkpoints", own, values=values(one))
    who = "subject/ns/gke-managed-checkpointing/sa/gke-checkpointing-multitier-node"
    member = f"principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/{who}"
    right = {"role": "roles/storage.objectUser", "member": member}
    api.create("google_storage_bucket_iam_member", bucket="ckpt", **right)
    pod = {"containers": [{"name": "main"}], "volumes": [{"name": "c", "csi": {"driver": DRIVER}}]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}}
    save = {**job, "spec": {"template": {"spec": pod}}}
    with pytest.raises(ApiError, match="none of its nodes has the driver"):
        release(helm, "job", own, values=values(save))
    release(helm, "checkpoints", own, values=values(one))
    release(helm, "job", own, values=values(save))


def test_a_chart_may_need_the_definitions_of_another(helm: Api) -> None:
    chart = "mldiagnostics-injection-webhook"
    with pytest.raises(ApiError, match=r"cert-manager\.io/v1"):
        release(helm, chart, chart)
    release(helm, "cert-manager", "cert-manager")
    release(helm, chart, chart)


def test_a_chart_must_be_there_when_planning(helm: Api, own: str) -> None:
    plan = helm.plan("helm_release", {"name": "a", "chart": "./nowhere"})
    assert plan.errors == ['could not download chart: path "./nowhere" not found']
    assert helm.plan("helm_release", {"name": "a", "chart": own}).errors == []


def test_values_must_be_yaml(helm: Api, own: str) -> None:
    with pytest.raises(ApiError, match=r"values\.yaml"):
        release(helm, "broken", own, values=["a: [b"])


def test_charts_need_nodes_without_taints(tainted: Api, connect: Connect) -> None:
    helm = connect("helm", kubernetes=tainted.config)
    failed = release(helm, "kueue", "kueue")
    assert failed.state["status"] == "failed"
    ready = release(helm, "kueue", "kueue", wait=False, upgrade_install=True)
    assert ready.state["status"] == "deployed"
    with pytest.raises(ApiError, match="no node pool has nodes whose taints the pods of the chart tolerate"):
        helm.update(ready, wait=True)
    release(helm, "jobset", "jobset", values=[json.dumps({"controller": {"tolerations": TOLERATED}})])


# ---- with Terraform


def inside() -> dict[str, Any]:
    """A namespace with what a workload needs, and a release that waits for another."""
    where = "${kubernetes_namespace_v1.jobs.metadata.0.name}"
    labels = {"app": "x"}
    body = {"selector": {"match_labels": labels}, "template": pod(service_account_name="runner")}
    return {
        "google_container_cluster": {"main": {"name": "main", **CLUSTER}},
        "kubernetes_namespace_v1": {"jobs": {"metadata": {"name": "jobs"}}},
        "kubernetes_service_account_v1": {"runner": {"metadata": {"name": "runner", "namespace": where}}},
        "kubernetes_config_map_v1": {
            "files": {"metadata": {"name": "files", "namespace": where}, "data": {"a": "b"}}
        },
        "kubernetes_deployment_v1": {
            "app": {
                "metadata": {"name": "app", "namespace": where},
                "spec": body,
                "depends_on": ["kubernetes_service_account_v1.runner"],
            }
        },
        "kubernetes_daemon_set_v1": {
            "every": {
                "metadata": {"name": "every", "namespace": where},
                "spec": {"selector": {"match_labels": labels}, "template": pod()},
            }
        },
        "kubernetes_job_v1": {
            "run": {"metadata": {"name": "run", "namespace": where}, "spec": {"template": pod()}}
        },
        "kubernetes_service_v1": {
            "app": {
                "metadata": {"name": "app", "namespace": where},
                "spec": {"selector": labels, "port": [NODE_PORT]},
            }
        },
        "kubernetes_cluster_role_v1": {
            "reader": {
                "metadata": {"name": "reader"},
                "rule": [{"api_groups": [""], "resources": ["pods"], "verbs": ["get"]}],
            }
        },
        "helm_release": {
            "kueue": {"name": "kueue", "chart": "oci://registry.example/charts/kueue", "version": "0.19.2"},
            "queues": {
                "name": "queues",
                "chart": "./objects",
                "namespace": where,
                "values": values(QUEUE),
                "set": [{"name": "a", "value": "b"}],
                "depends_on": ["helm_release.kueue"],
            },
        },
    }


MADE = {
    "host": "https://${google_container_cluster.main.endpoint}",
    "token": "${data.google_client_config.me.access_token}",
    "cluster_ca_certificate": (
        "${base64decode(google_container_cluster.main.master_auth.0.cluster_ca_certificate)}"
    ),
}
PROVIDERS = {"kubernetes": MADE, "helm": {"kubernetes": MADE}}
ME: dict[str, Any] = {"google_client_config": {"me": {}}}


@pytest.mark.terraform
def test_a_whole_life_inside_a_cluster(world: World, stack: Stack) -> None:
    folder = stack(inside(), providers=PROVIDERS, data=ME)
    chart(folder)
    world.terraform(folder, "validate")
    assert set(world.changes(folder).values()) == {"create"}
    world.apply(folder)
    assert world.changes(folder) == {}
    assert world.resources("ClusterQueue.kueue.x-k8s.io")
    world.destroy(folder)
    assert world.resources() == []


@pytest.mark.terraform
def test_changes_inside_a_cluster(world: World, stack: Stack) -> None:
    resources = inside()
    folder = stack(resources, providers=PROVIDERS, data=ME)
    chart(folder)
    world.apply(folder)
    resources["kubernetes_config_map_v1"]["files"]["data"] = {"a": "c"}
    resources["kubernetes_job_v1"]["run"]["spec"]["template"] = pod(container={"image": "busybox:1.37"})
    resources["kubernetes_deployment_v1"]["app"]["metadata"]["name"] = "renamed"
    resources["helm_release"]["kueue"]["version"] = "0.19.3"
    assert world.changes(stack(resources, providers=PROVIDERS, data=ME)) == {
        "kubernetes_config_map_v1.files": "update",
        "kubernetes_job_v1.run": "replace",
        "kubernetes_deployment_v1.app": "replace",
        "helm_release.kueue": "update",
    }
    world.apply(folder)
    assert world.changes(folder) == {}


@pytest.mark.terraform
@pytest.mark.slow
def test_spawned_providers_inside_a_cluster(mirrored: World, stack: Stack) -> None:
    folder = stack(inside(), providers=PROVIDERS, data=ME)
    chart(folder)
    mirrored.apply(folder)
    assert mirrored.changes(folder) == {}
    mirrored.destroy(folder)
    assert mirrored.resources() == []


@pytest.mark.terraform
def test_what_does_not_wait_comes_too_early(world: World, stack: Stack) -> None:
    resources = inside()
    del resources["helm_release"]["queues"]["depends_on"]
    folder = stack(resources, providers=PROVIDERS, data=ME)
    chart(folder)
    assert 'no matches for kind "ClusterQueue"' in world.apply(folder, check=False).stderr


@pytest.mark.terraform
@pytest.mark.parametrize(
    ("settings", "left", "next_time"),
    [
        ({}, ["failed"], "cannot re-use a name that is still in use"),
        ({"upgrade_install": True}, ["failed"], ""),
        ({"atomic": True}, [], ""),
    ],
    ids=["as it comes", "upgraded", "removed"],
)
def test_a_first_installation_that_fails_is_in_no_state(
    world: World, stack: Stack, settings: dict[str, bool], left: list[str], next_time: str
) -> None:
    """HelmRelease.Create of terraform-provider-helm 3.1.1: it returns an error, and sets no state."""
    resources = {one: inside()[one] for one in ("google_container_cluster", "helm_release")}
    resources["helm_release"] = {"kueue": {**resources["helm_release"]["kueue"], **settings}}
    folder = stack(resources, providers=PROVIDERS, data=ME)
    world.faults(Fault("create", "helm_release", error="context deadline exceeded", after=True))
    assert "context deadline exceeded" in world.apply(folder, check=False).stderr
    assert [one.state["status"] for one in world.resources("helm_release")] == left
    assert world.changes(folder) == {"helm_release.kueue": "create"}
    assert next_time in world.apply(folder, check=bool(not next_time)).stderr
    if not next_time:
        assert world.changes(folder) == {}
        world.destroy(folder)
        assert world.resources() == []
