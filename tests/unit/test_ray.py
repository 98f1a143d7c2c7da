"""Parts of a Ray cluster; several of these tests fail for the system before this one."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import BLUEPRINTS, read_stack

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.examine import examine
from clusterprint.image import lock
from clusterprint.plan.ray.cluster import RayClusterPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.resolve import resolve
from clusterprint.resolve.ray.admission import _pattern as pattern_of
from clusterprint.resolve.ray.image import resolve_image

H200 = (BLUEPRINTS / "ray-h200.yaml").read_text("utf-8")
DEV = (BLUEPRINTS / "ray-l4-dev.yaml").read_text("utf-8")


def load(text: str, folder: Path) -> RayBlueprint:
    file = folder / "ray.yaml"
    file.write_text(text, "utf-8")
    examined = examine([file])
    assert [each for each in examined.diagnostics if each.severity.value == "error"] == []
    blueprint = examined.results[0].blueprint
    assert isinstance(blueprint, RayBlueprint)
    return blueprint


def plans(text: str, folder: Path) -> tuple[RayClusterPlan, RayPlan]:
    cluster, ray = resolve(load(text, folder), folder)
    assert isinstance(cluster, RayClusterPlan)
    assert isinstance(ray, RayPlan)
    return cluster, ray


def built(text: str, folder: Path) -> lock.Lock:
    """As after a build of the blueprint's image."""
    plan = resolve_image(load(text, folder), folder)
    made = lock.Lock(image=plan.image, digest="sha256:" + "1" * 64, inputs=plan.inputs)
    lock.write(made, folder / plan.lock)
    return made


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    """The stacks of the H200 cluster."""
    found: dict[str, Any] = read_stack(BLUEPRINTS.parent / "tests/goldens/ray-h200.tf.json")
    return found


def release(stack: dict[str, Any], key: str) -> dict[str, Any]:
    """The objects of one release of our chart."""
    found: dict[str, Any] = json.loads(stack["resource"]["helm_release"][key]["values"][0])["objects"]
    return found


def test_a_compute_class_has_one_rule_for_each_pool_in_the_written_order(golden: dict[str, Any]) -> None:
    spec = release(golden["oasis-ray"], "compute-classes")["h200"]["spec"]
    assert spec["priorities"] == [{"nodepools": ["spot"]}, {"nodepools": ["flex"]}]


def test_pools_carry_the_label_and_taint_of_the_class_that_prefers_them(golden: dict[str, Any]) -> None:
    pools = golden["oasis-cluster"]["resource"]["google_container_node_pool"]
    for key in ("pool-flex", "pool-spot"):
        config = pools[key]["node_config"]
        assert config["labels"]["cloud.google.com/compute-class"] == "h200"
        assert {"effect": "NO_SCHEDULE", "key": "cloud.google.com/compute-class", "value": "h200"} in config[
            "taint"
        ]


def test_every_written_version_arrives(tmp_path: Path) -> None:
    text = DEV.replace("ray: {", "cluster: {version: 1.33.0-gke.1712000}\nray: {version: 2.49.1, ")
    cluster, ray = plans(text, tmp_path)
    assert cluster.control_plane is not None
    assert cluster.control_plane.minimum_version == "1.33.0-gke.1712000"
    assert ray.spec.version == "2.49.1"
    assert ray.spec.image == "rayproject/ray:2.49.1-py312-cu128"


def test_the_image_is_a_valid_reference_before_and_after_the_build(tmp_path: Path) -> None:
    before = plans(H200, tmp_path)[1].spec.image
    assert re.fullmatch(r"[a-z0-9.-]+(/[a-z0-9._-]+)+:[A-Za-z0-9_][\w.-]{0,127}", before)
    made = built(H200, tmp_path)
    assert plans(H200, tmp_path)[1].spec.image == made.reference == f"{made.image}@{made.digest}"


def test_pods_run_as_the_account_that_is_made_and_has_the_rights(golden: dict[str, Any]) -> None:
    resources = golden["oasis-ray"]["resource"]
    account = resources["kubernetes_service_account_v1"]["account-ray_ray"]["metadata"]
    spec = release(golden["oasis-ray"], "ray")["oasis"]["spec"]
    templates = [spec["headGroupSpec"]["template"], *(each["template"] for each in spec["workerGroupSpecs"])]
    assert {each["spec"]["serviceAccountName"] for each in templates} == {account["name"]}
    grants = golden["oasis-cluster"]["resource"]["google_storage_bucket_iam_member"]
    bucket = next(each for each in grants.values() if each["role"] == "roles/storage.objectUser")
    assert bucket["member"].endswith(f"/subject/ns/{account['namespace']}/sa/{account['name']}")


def test_nobody_else_loses_a_right(golden: dict[str, Any]) -> None:
    types = {kind for stack in golden.values() for kind in stack["resource"]}
    assert not [kind for kind in types if kind.endswith(("_iam_binding", "_iam_policy"))]


def test_pods_have_as_many_interfaces_as_their_nodes(golden: dict[str, Any]) -> None:
    pool = golden["oasis-cluster"]["resource"]["google_container_node_pool"]["pool-flex"]
    extra = pool["network_config"]["additional_node_network_configs"]
    worker = release(golden["oasis-ray"], "ray")["oasis"]["spec"]["workerGroupSpecs"][0]["template"]
    interfaces = json.loads(worker["metadata"]["annotations"]["networking.gke.io/interfaces"])
    objects = release(golden["oasis-ray"], "networks")
    named = {each["metadata"]["name"] for each in objects.values() if each["kind"] == "Network"}
    assert len(interfaces) == 1 + len(extra) == 10
    assert {each["network"] for each in interfaces} == {"default", *named}


def test_workers_stay_below_what_their_node_has(tmp_path: Path) -> None:
    [group] = plans(H200, tmp_path)[1].spec.groups
    assert (group.pod.cpus, group.pod.gpus) == (220, 8)
    assert 2700 < group.pod.memory_gb < 2952


def test_operator_by_addon_or_by_chart_never_both(tmp_path: Path) -> None:
    cluster, ray = plans(DEV, tmp_path)
    assert cluster.control_plane is not None
    assert (cluster.control_plane.addons.ray, ray.operator) == (True, None)
    cluster, ray = plans(DEV.replace("ray: {", "ray: {operator: chart, "), tmp_path)
    assert cluster.control_plane is not None
    assert not cluster.control_plane.addons.ray
    assert ray.operator is not None


def test_the_head_is_the_only_way_to_the_dashboard_without_an_ingress(tmp_path: Path) -> None:
    cluster, ray = plans(DEV, tmp_path)
    assert (ray.dashboard, ray.proxy, cluster.proxy_subnet) == (None, None, None)


def test_the_load_balancer_leads_to_the_proxy_and_not_to_ray(tmp_path: Path) -> None:
    cluster, ray = plans(H200, tmp_path)
    assert ray.proxy is not None
    assert ray.dashboard is not None
    assert ray.dashboard.port == ray.proxy.port != 8265
    assert cluster.proxy_subnet is not None


def test_binary_authorization_begins_with_the_first_build(tmp_path: Path) -> None:
    text = f"{H200}binary_authorization: {{mode: enforce}}\n"
    assert plans(text, tmp_path)[0].admission is None
    built(text, tmp_path)
    admission = plans(text, tmp_path)[0].admission
    assert admission is not None
    assert admission.enforce
    assert admission.cluster == "us-south1.oasis"
    assert "quay.io/brancz/kube-rbac-proxy*" in admission.exempt


@pytest.mark.parametrize(
    ("image", "pattern"),
    [
        ("quay.io/kuberay/operator:v1.4.2", "quay.io/kuberay/operator*"),
        ("quay.io/kuberay/operator@sha256:0123", "quay.io/kuberay/operator*"),
        ("quay.io/kuberay/operator:v1.4.2@sha256:0123", "quay.io/kuberay/operator*"),
        ("localhost:5000/team/ray:1", "localhost:5000/team/ray*"),
        ("busybox:1.36", "docker.io/library/busybox*"),
        ("busybox@sha256:0123", "docker.io/library/busybox*"),
    ],
)
def test_all_versions_of_an_image_are_exempt(image: str, pattern: str) -> None:
    assert pattern_of(image) == pattern


def test_another_word_about_a_job_is_another_run(tmp_path: Path) -> None:
    def run(job: str) -> str:
        text = DEV.replace("ray: {", f"ray: {{jobs: [{job}], ")
        return plans(text, tmp_path)[1].jobs[0].run

    first = run("{name: train, entrypoint: python train.py}")
    assert first == run("{entrypoint: python train.py, name: train}")
    assert first.startswith("train-")
    assert first != run("{name: train, entrypoint: python train.py --epochs 3}")


def test_other_requirements_are_another_image(tmp_path: Path) -> None:
    first = resolve_image(load(H200, tmp_path), tmp_path)
    second = resolve_image(load(H200.replace("torch>=2.7.1", "torch>=2.8.0"), tmp_path), tmp_path)
    assert first.tag != second.tag
    assert first.tag.startswith("2.55.0-")
    assert msgspec.structs.replace(second, tag=first.tag) != first


def test_a_group_of_slices_has_their_hosts(tmp_path: Path) -> None:
    text = (BLUEPRINTS / "ray-tpu-v6e.yaml").read_text("utf-8")
    [group] = plans(text, tmp_path)[1].spec.groups
    assert (group.hosts, group.pod.tpus) == (4, 4)
    assert group.pod.node_selector["cloud.google.com/gke-tpu-topology"] == "4x4"


TPU = (BLUEPRINTS / "ray-tpu-v6e.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("slices", "label"),
    [("", "cloud.google.com/gke-nodepool"), (", slices: 2", "clusterprint/pool")],
    ids=["a slice", "several slices"],
)
def test_a_group_is_on_slices_of_its_own_pool(slices: str, label: str, tmp_path: Path) -> None:
    tpu = f"machine_type: ct6e-standard-4t, tpu: {{topology: 4x4{slices}}}"
    text = (
        TPU[: TPU.index("node_pools:")]
        + f"""\
node_pools:
  - {{name: own, {tpu}, capacity: {{model: reservation, reservation: r}}}}
  - {{name: spot, {tpu}, capacity: {{model: spot}}}}
ray:
  operator: addon
  workers: [{{name: a, pool: own, max: 4}}, {{name: b, pool: spot, max: 4}}]
"""
    )
    for group, pool in zip(plans(text, tmp_path)[1].spec.groups, ("own", "spot"), strict=True):
        assert group.pod.node_selector[label] == pool
        # What Ray's webhook for TPUs reads.
        assert group.pod.node_selector["cloud.google.com/gke-tpu-topology"] == "4x4"


@pytest.mark.parametrize(
    ("pool", "hosts"),
    [
        ("tpu: {topology: 4x4}, capacity: {model: spot}", 4),
        ("tpu: {topology: 4x4}, capacity: {model: spot}, autoscaling: {max: 4}", 4),
        ("tpu: {topology: 4x8}, capacity: {model: flex_start}", 8),
        ("tpu: {topology: 2x2}, capacity: {model: spot}, autoscaling: {max: 2}", 1),
    ],
)
def test_a_worker_of_a_slice_has_a_pod_on_each_of_its_hosts(tmp_path: Path, pool: str, hosts: int) -> None:
    text = TPU.replace("tpu: {topology: 4x4}, capacity: {model: spot}", pool)
    _, ray = plans(text, tmp_path)
    assert [group.hosts for group in ray.spec.groups] == [hosts]


RAY_OF_A_TEST = """
import json, os

def init(): pass

def remote(**asked):
    def decorate(function):
        class Task:
            def remote(self):
                return function, asked
        return Task()
    return decorate

def get(tasks):
    print(json.dumps([asked for _, asked in tasks]))
    return [function() for function, _ in tasks]
"""


def test_the_sample_of_tpus_asks_for_all_chips_of_a_slice(tmp_path: Path) -> None:
    _, ray = plans(TPU, tmp_path)
    (group,), (job,) = ray.spec.groups, ray.jobs
    for name, text in (("ray", RAY_OF_A_TEST), ("jax", "def device_count(): return 16")):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    words = shlex.split(job.entrypoint)
    assert words[:2] == ["python", "-c"]
    done = subprocess.run(
        [sys.executable, *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    asked, answer = done.stdout.splitlines()
    assert json.loads(asked) == [{"resources": {"TPU": group.pod.tpus}}] * group.hosts
    assert answer == "16"


SERVED = """
  services:
    - {name: chat, config: {inline: "applications: [{name: a, import_path: a:a}]"}}
    - name: small
      config: {inline: "applications: [{name: a, import_path: a:a}]"}
      workers: [{name: l4, max: 2}]
  jobs:
    - {name: train, entrypoint: python train.py}
    - {name: eager, entrypoint: python train.py, workers: [{name: l4, min: 1, max: 3}]}
    - {name: shared, entrypoint: python train.py, cluster: shared}
  nccl_test: {nodes: 1}
"""


def test_a_cluster_of_its_own_has_the_workers_that_it_is_given(tmp_path: Path) -> None:
    """Minimums that nobody asked for kept each other's nodes, with none ever complete."""
    text = DEV.replace("autoscaling: {max: 4}}", "count: 8}").replace(
        "ray: {workers: [{name: l4, pool: l4, max: 4, idle_timeout: 10m}]}",
        "system_pool: {autoscaling: {min: 1, max: 9}}\n"
        "ray:\n  workers: [{name: l4, pool: l4, min: 1, max: 4}]" + SERVED,
    )
    _, ray = plans(text, tmp_path)
    runs = {each.name: each.groups for each in ray.jobs} | {each.name: each.groups for each in ray.services}
    assert {name: [(each.min, each.max) for each in groups] for name, groups in runs.items()} == {
        "nccl-test": [],
        "train": [(0, 4)],
        "eager": [(1, 3)],
        "shared": [],
        "chat": [(1, 4)],
        "small": [(1, 2)],
    }


def test_only_a_cluster_of_a_job_s_own_is_shut_down_after_it(tmp_path: Path) -> None:
    jobs = """
  jobs:
    - {name: train, entrypoint: python train.py}
    - {name: debug, entrypoint: python train.py, shutdown_after_finish: false}
    - {name: shared, entrypoint: python train.py, cluster: shared}
  nccl_test: {nodes: 1}
"""
    text = DEV.replace(
        "ray: {workers: [{name: l4, pool: l4, max: 4, idle_timeout: 10m}]}",
        "ray:\n  workers: [{name: l4, pool: l4, max: 4}]" + jobs,
    )
    _, ray = plans(text, tmp_path)
    assert {run.name: (run.head is not None, run.shutdown) for run in ray.jobs} == {
        "nccl-test": (False, False),
        "train": (True, True),
        "debug": (True, False),
        "shared": (False, False),
    }
