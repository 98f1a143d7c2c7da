"""Queues of a cluster, and what waits in them, as they are resolved."""

import pytest
from unit.conftest import POOLS, Inside

from clusterprint.derived.provisioner import NODE_LABEL
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from stacks.gke.queues import queue_objects


def quotas(plan: GkeWorkloadsPlan | None) -> dict[str, dict[str, str]]:
    """The common quota of each flavor."""
    assert plan is not None
    assert plan.queues is not None
    return {each.flavor: each.amounts for each in plan.queues.cluster_queues[0].quotas}


def test_quotas_are_what_the_pools_hold(inside: Inside) -> None:
    pools = """\
node_pools:
  - {name: cpu, machine_type: n2-standard-4, count: 3}
  - {name: gpus, machine_type: g2-standard-24, autoscaling: {max: 5}, zones: [us-central1-a, us-central1-b]}
"""
    made = quotas(inside.plan(f"{pools}workloads: {{kueue: {{}}}}\n"))
    assert made["cpu"]["nvidia.com/gpu"] == "0"
    assert made["gpus"]["nvidia.com/gpu"] == "10"
    assert 3 * 3 <= int(made["cpu"]["cpu"]) < 3 * 4
    assert int(made["cpu"]["memory"].removesuffix("Gi")) < 3 * 16


def test_several_slices_are_one_flavor(inside: Inside) -> None:
    pool = "{name: v5p, machine_type: ct5p-hightpu-4t, tpu: {topology: 2x2x2, slices: 3}}"
    plan = inside.plan(f"node_pools: [{pool}]\nworkloads: {{kueue: {{}}}}\n")
    assert quotas(plan)["v5p"]["google.com/tpu"] == "24"
    assert plan is not None
    assert plan.queues is not None
    assert plan.queues.flavors[0].labels == {
        "cloud.google.com/gke-tpu-accelerator": "tpu-v5p-slice",
        "cloud.google.com/gke-tpu-topology": "2x2x2",
        "clusterprint/pool": "v5p",
    }


@pytest.mark.parametrize(("version", "api"), [("0.14.5", "v1beta1"), ("v0.15.0", "v1beta2"), ("", "v1beta2")])
def test_objects_are_of_the_version_that_kueue_has(inside: Inside, version: str, api: str) -> None:
    said = f"version: {version}" if version else ""
    plan = inside.plan(f"{POOLS}workloads: {{kueue: {{{said}}}}}\n")
    assert plan is not None
    assert plan.queues is not None
    assert plan.queues.api_version == api


def test_a_queued_job_runs_on_the_nodes_that_were_granted_to_it(inside: Inside) -> None:
    pool = (
        "{name: b200, machine_type: a4-highgpu-8g, zones: [us-central1-b], autoscaling: {max: 4}, "
        "capacity: {model: flex_start, queued: true}}"
    )
    plan = inside.plan(f"node_pools: [{pool}]\nworkloads: {{kueue: {{local_queues: [{{name: q}}]}}}}\n")
    assert plan is not None
    assert plan.queues is not None
    (nodes,) = plan.queues.provisioning
    assert nodes.node_label == "autoscaling.gke.io/provisioning-request"
    assert nodes.node_label_value == "ResizeRequestName"


# ---- pools that the provisioner makes


PROVISIONED = """\
cluster: {release_channel: none}
node_pools: [{name: v5p, machine_type: ct5p-hightpu-4t, tpu: {topology: 2x2x2}}]
workloads:
  jobset: {}
  kueue: {local_queues: [{name: default}, {name: default, namespace: research}]}
  tpu_provisioner: {image: "my/provisioner:v1"}
"""


@pytest.mark.parametrize(
    ("resource", "limit", "chips"),
    [
        ("google.com/tpu", "", {"google.com/tpu": "1000000"}),
        ("google.com/tpu", "max_chips_per_namespace: 64", {"google.com/tpu": "128"}),
        ("nvidia.com/gpu", "", {"nvidia.com/gpu": "1000000", "google.com/tpu": "0"}),
    ],
)
def test_jobs_in_queues_are_admitted_to_pools_that_are_made_for_them(
    inside: Inside, resource: str, limit: str, chips: dict[str, str]
) -> None:
    said = PROVISIONED.replace(
        'my/provisioner:v1"', f'my/provisioner:v1", pod_resource_type: {resource}, {limit}'
    )
    plan = inside.plan(said)
    assert plan is not None
    assert plan.queues is not None
    standing, made = plan.queues.flavors
    assert standing.labels == {"cloud.google.com/gke-nodepool": "v5p"}
    # Whatever selects nodes by a pool that is there never runs on one that is made.
    assert made.labels == NODE_LABEL
    assert made.taints == {resource: "present"}
    # Jobs go to nodes that are there first.
    assert list(quotas(plan)) == ["v5p", made.name]
    assert quotas(plan)[made.name] == {"cpu": "1000000", "memory": "1000000Gi", **chips}


def test_queues_need_no_pool_beside_those_that_are_made(inside: Inside) -> None:
    plan = inside.plan(
        PROVISIONED.replace(", tpu: {topology: 2x2x2}", "").replace("ct5p-hightpu-4t", "e2-small")
    )
    assert list(quotas(plan)) == ["v5p", "provisioned.slices"]
    without = "\n".join(line for line in PROVISIONED.splitlines() if "node_pools" not in line)
    assert list(quotas(inside.plan(without))) == ["provisioned.slices"]


def test_the_other_provisioner_makes_no_pools_for_jobs_in_queues(inside: Inside) -> None:
    plan = inside.plan(PROVISIONED.replace('v1"}', 'v1", controller: tpu_provisioner}'))
    assert list(quotas(plan)) == ["v5p"]


# ---- queues of teams


TEAMS = """\
node_pools:
  - {name: mega, machine_type: a3-megagpu-8g, count: 8, capacity: {model: reservation, reservation: mine}}
  - {name: cpu, machine_type: n2-standard-16, count: 2}
workloads:
  kueue:
    local_queues:
      - {name: default}
      - {name: vision, namespace: research, quotas: [{pool: mega, nodes: 5, borrow: 1, lend: 0}]}
"""


def test_what_a_queue_has_of_its_own_is_nobody_elses(inside: Inside) -> None:
    plan = inside.plan(TEAMS)
    assert plan is not None
    assert plan.queues is not None
    everyone, vision = plan.queues.cluster_queues
    assert [each.amounts["nvidia.com/gpu"] for each in everyone.quotas] == ["24", "0"]
    (mega,) = vision.quotas
    assert (mega.flavor, mega.amounts["nvidia.com/gpu"]) == ("mega", "40")
    assert mega.borrow is not None
    assert mega.lend is not None
    assert (mega.borrow["nvidia.com/gpu"], mega.lend["cpu"]) == ("8", "0")
    assert everyone.cohort == vision.cohort == "cluster"
    assert [each.cluster_queue for each in plan.queues.local_queues] == ["cluster", "research-vision"]


PLACED = """\
node_pools:
  - {name: mega, machine_type: a3-megagpu-8g, count: 8, capacity: {model: reservation, reservation: mine}}
workloads:
  kueue: {topology_pools: [mega]}
  mpi: {jobs: [{name: nccl, image: "my/nccl:v1", workers: 2, command: [perf], queue: default}]}
"""


def test_all_pods_of_a_job_that_is_placed_by_topology_ask_for_something(inside: Inside) -> None:
    plan = inside.plan(PLACED)
    assert plan is not None
    assert plan.mpi is not None
    (job,) = plan.mpi.jobs
    assert job.launcher.requests
    assert job.workers.annotations == {
        "kueue.x-k8s.io/podset-preferred-topology": "cloud.google.com/gce-topology-subblock"
    }
    unplaced = inside.plan(PLACED.replace("topology_pools: [mega]", ""))
    assert unplaced is not None
    assert unplaced.mpi is not None
    assert unplaced.mpi.jobs[0].launcher.requests == {}


# ---- what a queue counts


C3 = "node_pools: [{name: c3, machine_type: c3-standard-176, count: 4}]\n"
WHOLE = 'image: "my/solver:v1", command: [solver], queue: default'


@pytest.mark.parametrize("queue", [", queue: default", ""], ids=["queued", "at once"])
def test_a_pod_without_accelerators_takes_a_whole_node(inside: Inside, queue: str) -> None:
    what = f'image: "my/solver:v1", command: [solver]{queue}'
    plan = inside.plan(
        f"{C3}cluster: {{version: '1.34'}}\n"
        "workloads:\n  kueue: {}\n  jobset: {}\n  lws: {}\n  trainer: {}\n"
        f"  mpi: {{jobs: [{{name: a, workers: 4, {what}}}]}}\n"
        f"  jobsets: [{{name: b, pods_per_replica: 4, {what}}}]\n"
        f"  train_jobs: [{{name: d, nodes: 4, {what}}}]\n"
        f"  leader_worker_sets: [{{name: c, size: 4, {what}}}]\n"
    )
    assert plan is not None
    assert plan.mpi is not None
    asked = [
        plan.mpi.jobs[0].workers.cpus,
        *(int(each.pod.requests["cpu"]) for each in plan.jobsets),
        *(int(each.pod.requests["cpu"]) for each in plan.leader_worker_sets),
    ]
    total = int(quotas(plan)["c3"]["cpu"])
    # Four pods fit into the quota of four nodes, and a fifth does not.
    assert all(4 * cpus <= total < 5 * cpus for cpus in asked)


def test_a_job_of_all_nodes_fits_beside_as_many_broken_ones_as_there_are_spares(inside: Inside) -> None:
    """Sixty-four nodes and two spares: the job is counted as before when two nodes are broken."""
    pool = (
        "{name: mega, machine_type: a3-megagpu-8g, count: 64, health: {spares: 2}, "
        "capacity: {model: reservation, reservation: r}}"
    )
    job = f"{{name: llm, pods_per_replica: 64, retries: 2, {WHOLE}}}"
    plan = inside.plan(
        f"node_pools: [{pool}]\nworkloads:\n  jobset: {{}}\n"
        f"  kueue: {{topology_pools: [mega]}}\n  jobsets: [{job}]\n"
    )
    assert plan is not None
    (made,) = plan.jobsets
    (nodes,) = next(each.pools for each in inside.plans if isinstance(each, GkeClusterPlan))
    quota = int(quotas(plan)["mega"]["nvidia.com/gpu"])
    each = int(made.pod.limits["nvidia.com/gpu"])
    assert (nodes.nodes_per_zone, nodes.auto_repair) == (66, True)
    # No job more is admitted, so that the broken nodes' places are free.
    assert made.pods * each == quota == (nodes.nodes_per_zone - 2) * each
    # Kueue moves pods only where it has placed them.
    assert made.pod.annotations
    assert made.retries == 2


def test_requests_for_nodes_are_for_workers_alone(inside: Inside) -> None:
    pool = (
        "{name: h4d, machine_type: h4d-highmem-192-lssd, zones: [us-central1-a], autoscaling: {max: 4}, "
        "capacity: {model: flex_start, queued: true}}"
    )
    job = f"{{name: cfd, workers: 4, {WHOLE}}}"
    plan = inside.plan(f"node_pools: [{pool}]\nworkloads: {{kueue: {{}}, mpi: {{jobs: [{job}]}}}}\n")
    assert plan is not None
    assert plan.queues is not None
    assert plan.mpi is not None
    (nodes,), (made,) = plan.queues.provisioning, plan.mpi.jobs
    # GKE takes a request for pods of one template: the launcher asks for nothing that is requested.
    assert nodes.resources == ("cpu",)
    assert made.workers.cpus > 0
    assert "cpu" not in made.launcher.requests


def test_a_failed_request_for_nodes_is_repeated_for_weeks(inside: Inside) -> None:
    pool = (
        "{name: b200, machine_type: a4-highgpu-8g, zones: [us-central1-b], autoscaling: {max: 4}, "
        "capacity: {model: flex_start, queued: true}}"
    )
    plan = inside.plan(f"node_pools: [{pool}]\nworkloads: {{kueue: {{}}}}\n")
    assert plan is not None
    assert plan.queues is not None
    (nodes,) = plan.queues.provisioning
    assert nodes.retries * nodes.longest_wait_seconds > 14 * 86400
    for each in queue_objects(plan.queues).values():
        if each["kind"] == "ProvisioningRequestConfig":
            strategy = each["spec"]["retryStrategy"]
            assert strategy == {
                "backoffLimitCount": 1000,
                "backoffBaseSeconds": 60,
                "backoffMaxSeconds": 1800,
            }
            break
    else:
        pytest.fail("no request is configured")
