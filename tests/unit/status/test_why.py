"""Why something waits: the first cause of objects as the real controllers write them.

`waiting.json` was recorded from a real API server, scheduler and controllers (Kubernetes 1.34.4, JobSet
0.10.1); events of the cluster autoscaler, and objects of Kueue and GKE below, have texts of their sources.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from stand_ins import Answer, StandIns
from support import plans_of

from clusterprint.access.inside import inside
from clusterprint.load import load_text
from clusterprint.status.inside.fit import misfit
from clusterprint.status.inside.objects import known
from clusterprint.status.inside.places import Places
from clusterprint.status.inside.walk import ROWS, Cause, Waiting, as_data, explain, waiting
from clusterprint.status.programs import Programs

RECORDED = json.loads((Path(__file__).parents[2] / "data/waiting.json").read_text())
GKE = """\
clusterprint: v1
kind: gke
name: bench
project: my-gpu-project
region: us-east4
zone: us-east4-b
backend: {gcs: {bucket: my-terraform-state}}
node_pools:
  - {name: h100, machine_type: a3-highgpu-8g, count: 4, capacity: {model: on_demand}}
  - name: flex
    machine_type: a4-highgpu-8g
    autoscaling: {max: 8}
    capacity: {model: flex_start, queued: true, max_run_duration: 3d}
storage: {volumes: [{kind: disk, name: scratch, size_gb: 100}]}
workloads:
  jobset: {}
  kueue:
    local_queues:
      - {name: default, namespace: language, quotas: [{pool: h100, nodes: 4}]}
      - {name: flexible, namespace: language}
  jobsets:
    - name: pretrain
      namespace: language
      image: us-docker.pkg.dev/my-gpu-project/images/trainer:v1
      command: [python, train.py]
      node_pool: h100
      pods_per_replica: 4
      queue: default
"""
PLANS = plans_of(GKE)
_READ = load_text(GKE.encode(), "bench.yaml", Path()).document
assert _READ
PLACES = Places(_READ, PLANS)
JOB = next(name for name in PLACES.jobs if name.startswith("pretrain-"))

Object = dict[str, Any]


def condition(kind: str, status: str, reason: str = "", message: str = "") -> Object:
    return {"type": kind, "status": status, "reason": reason, "message": message}


def jobset() -> Object:
    labels = {"kueue.x-k8s.io/queue-name": "default"}
    metadata = {"name": JOB, "namespace": "language", "uid": "j", "labels": labels}
    return {"kind": "JobSet", "metadata": metadata, "spec": {"suspend": True}}


def workload(*conditions: Object, checks: tuple[Object, ...] = (), **spec: Any) -> Object:
    owner = {"kind": "JobSet", "name": JOB, "uid": "j", "controller": True}
    metadata = {"name": "jobset-x", "namespace": "language", "uid": "w", "ownerReferences": [owner]}
    status = {"conditions": list(conditions), "admissionChecks": list(checks)}
    return {
        "kind": "Workload",
        "metadata": metadata,
        "spec": {"queueName": "default"} | spec,
        "status": status,
    }


def reserved(message: str, reason: str = "Pending") -> Object:
    return workload(condition("QuotaReserved", "False", reason, message))


def queues(local: Object | None = None, cluster: Object | None = None) -> list[Object]:
    """A LocalQueue and its ClusterQueue; more of the one, and of the other."""
    first = {
        "kind": "LocalQueue",
        "metadata": {"name": "default", "namespace": "language"},
        "spec": {"clusterQueue": "language-default"} | (local or {}),
    }
    return [first, {"kind": "ClusterQueue", "metadata": {"name": "language-default"}} | (cluster or {})]


def request(*conditions: Object) -> list[Object]:
    """A request for nodes, and the workload that waits for it."""
    owner = {"kind": "Workload", "name": "jobset-x", "uid": "w", "controller": True}
    metadata = {"name": "pr", "namespace": "language", "uid": "p", "ownerReferences": [owner]}
    check = {"name": "flex", "state": "Pending", "message": ""}
    mine = {"kind": "ProvisioningRequest", "metadata": metadata, "status": {"conditions": list(conditions)}}
    return [workload(condition("QuotaReserved", "True"), checks=(check,)), mine]


def pod(name: str = "p", *, uid: str = "pod", **status: Any) -> Object:
    spec = {"nodeName": "n", "containers": [{}]}
    metadata = {"name": name, "namespace": "ml", "uid": uid}
    return {"kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Pending"} | status}


def container(reason: str, message: str = "", **last: Any) -> Object:
    state = {"name": "main", "state": {"waiting": {"reason": reason, "message": message}}, "lastState": last}
    return pod(containerStatuses=[state])


def event(reason: str, message: str, **of: str) -> Object:
    about = {"kind": "Pod", "namespace": "ml", "name": "p"} | of
    return {"kind": "Event", "reason": reason, "message": message, "involvedObject": about}


FLAVOR = "couldn't assign flavors to pod set workers: "
KUEUE: dict[str, tuple[str, str, list[Object]]] = {
    "no LocalQueue": (
        "local queue missing",
        "workloads.jobsets.pretrain.queue",
        [queues()[1], reserved("LocalQueue default doesn't exist", "Inadmissible")],
    ),
    "a held LocalQueue": (
        "local queue stopped",
        "workloads.kueue.local_queues.default",
        [*queues({"stopPolicy": "Hold"}), reserved("LocalQueue default is stopped", "Inadmissible")],
    ),
    "a drained ClusterQueue": (
        "cluster queue stopped",
        "workloads.kueue.cluster_queue",
        [*queues(cluster={"spec": {"stopPolicy": "HoldAndDrain"}}), reserved("ClusterQueue q is inactive")],
    ),
    "a flavor that is gone": (
        "flavor missing",
        "node_pools.h100.name",
        [
            *queues(
                cluster={
                    "status": {
                        "conditions": [
                            condition(
                                "Active",
                                "False",
                                "FlavorNotFound",
                                "Can't admit new workloads: references missing ResourceFlavor(s): h100.",
                            )
                        ]
                    }
                }
            ),
            reserved("ClusterQueue language-default is inactive", "Inadmissible"),
        ],
    ),
    "more than the quota": (
        "job larger than quota",
        "workloads.kueue.local_queues.default.quotas",
        [
            *queues(),
            reserved(
                FLAVOR
                + "insufficient quota for nvidia.com/gpu in flavor h100, previously considered podsets "
                "requests (0) + current podset request (64) > maximum capacity (32)"
            ),
        ],
    ),
    "a quota in use": (
        "quota in use",
        "workloads.kueue.local_queues.default.quotas",
        [
            *queues(),
            reserved(FLAVOR + "insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed"),
        ],
    ),
    "a topology that is full": (
        "topology too small",
        "workloads.jobsets.pretrain.keep_within",
        [*queues(), reserved(FLAVOR + 'topology "default" allows to fit only 2 out of 4 pod(s)')],
    ),
    "a preempted job": (
        "preempted",
        "workloads.jobsets.pretrain.priority",
        [
            *queues(),
            workload(
                condition(
                    "Evicted", "True", "Preempted", "Preempted to accommodate a workload (UID: a, JobUID: b)"
                ),
                condition("QuotaReserved", "False", "Pending", FLAVOR + "insufficient unused quota for cpu"),
            ),
        ],
    ),
    "a deactivated job": (
        "deactivated: too many attempts",
        "workloads.jobsets.pretrain",
        [
            *queues(),
            workload(
                condition(
                    "Evicted",
                    "True",
                    "DeactivatedDueToRequeuingLimitExceeded",
                    "The workload is deactivated due to exceeding the maximum number of re-queuing retries",
                ),
                active=False,
            ),
        ],
    ),
    "a rejected check": (
        "admission check rejected",
        "node_pools.h100.capacity.queued",
        [
            *queues(),
            workload(
                condition("QuotaReserved", "True"),
                checks=({"name": "x", "state": "Rejected", "message": "no"},),
                podSets=[{"template": {"spec": {"nodeSelector": {"cloud.google.com/gke-nodepool": "h100"}}}}],
            ),
        ],
    ),
    "Kueue that does not run": (
        "not considered yet",
        "workloads.kueue",
        [*queues(), workload()],
    ),
    "a request that no node is free for": (
        "nodes requested",
        "node_pools.h100.capacity",
        [
            *queues(),
            *request(condition("Accepted", "True", "SuccessfullyQueued", "Provisioning Request was queued.")),
        ],
    ),
    "a request larger than the pool": (
        "largest size of the pool",
        "node_pools.flex.autoscaling.max",
        [
            *queues(),
            *request(
                condition(
                    "Failed",
                    "True",
                    "NodepoolSizeReached",
                    "Max nodepool size reached, affected nodepools: flex",
                )
            ),
        ],
    ),
    "a request beyond the quota": (
        "quota of the project",
        "node_pools.h100.capacity",
        [
            *queues(),
            *request(condition("Failed", "True", "QuotaExceeded", "Quota 'NVIDIA_B200_GPUS' exceeded.")),
        ],
    ),
    "a request without a queued pool": (
        "no queued pool",
        "node_pools.h100.capacity.queued",
        [
            *queues(),
            *request(
                condition(
                    "Failed",
                    "True",
                    "NoQueuedNodepoolAvailable",
                    "No nodepool with QueuedProvisioning enabled is available for scale up",
                )
            ),
        ],
    ),
    "nodes that were taken back": (
        "capacity revoked",
        "node_pools.h100.capacity.max_run_duration",
        [*queues(), *request(condition("CapacityRevoked", "True", "", "Capacity revoked"))],
    ),
}
NODES: dict[str, tuple[str, list[Object]]] = {
    "an image that may not be read": (
        "image forbidden",
        [container("ImagePullBackOff", "failed to authorize: unexpected status 403 Forbidden")],
    ),
    "an image name": ("image name invalid", [container("InvalidImageName")]),
    "a secret": ("secret missing", [container("CreateContainerConfigError", 'secret "hf" not found')]),
    "a config map": (
        "config map missing",
        [container("CreateContainerConfigError", 'configmap "hpl" not found')],
    ),
    "memory": (
        "out of memory",
        [container("CrashLoopBackOff", terminated={"reason": "OOMKilled", "exitCode": 137})],
    ),
    "a disk of another node": (
        "volume attached elsewhere",
        [container("ContainerCreating"), event("FailedAttachVolume", "Multi-Attach error for volume")],
    ),
    "a bucket": (
        "volume cannot be mounted",
        [container("ContainerCreating"), event("FailedMount", 'MountVolume.SetUp failed for volume "data"')],
    ),
    "nothing but time": ("starting", [container("ContainerCreating")]),
}


def first(objects: list[Object]) -> list[Cause]:
    found = explain(known(objects), PLACES)
    assert not found.unknown
    return list(found.causes)


@pytest.mark.parametrize("case", RECORDED["cases"])
def test_the_first_cause_of_what_real_controllers_wrote_is_right(case: str) -> None:
    recorded = RECORDED["cases"][case]
    # Of jobs that failed, those of others are said only if they are named.
    found = explain(known([*RECORDED["nodes"], *recorded["objects"]]), PLACES, _name(recorded))
    assert [each.cause for each in found.causes] == [recorded["cause"]]


def _name(recorded: Object) -> str:
    """The job or pod that waits: the last of the outermost kind."""
    names: dict[str, str] = {each["kind"]: each["metadata"]["name"] for each in recorded["objects"]}
    return names.get("JobSet") or names.get("Job") or names["Pod"]


@pytest.mark.parametrize("case", KUEUE)
def test_the_first_cause_in_a_queue_has_the_field_to_change(case: str) -> None:
    cause, path, objects = KUEUE[case]
    (found,) = first([jobset(), *objects])
    assert (found.cause, found.field and found.field.path) == (cause, path)


@pytest.mark.parametrize("case", NODES)
def test_the_first_cause_on_a_node_is_that_of_the_kubelet(case: str) -> None:
    cause, objects = NODES[case]
    (found,) = first(objects)
    assert found.cause == cause


def test_a_pod_that_waits_for_its_queue_names_the_queue_and_not_the_gate() -> None:
    gated = pod() | {"spec": {"schedulingGates": [{"name": "kueue.x-k8s.io/admission"}], "containers": [{}]}}
    gated["metadata"]["ownerReferences"] = [{"kind": "JobSet", "name": JOB, "uid": "j", "controller": True}]
    held = queues({"stopPolicy": "Hold"})
    (found,) = first([jobset(), gated, workload(), *held])
    assert found.cause == "local queue stopped"
    assert first([gated])[0].cause == "gate of Kueue"


def test_pods_that_were_created_since_take_back_a_failure_to_create_them() -> None:
    job = {"kind": "Job", "metadata": {"name": "j", "namespace": "ml", "uid": "j"}}
    of = {"kind": "Job", "name": "j"}
    failed = event("FailedCreate", "exceeded quota", **of) | {"lastTimestamp": "2026-11-27T10:00:00Z"}
    created = event("SuccessfulCreate", "Created pod", **of) | {"lastTimestamp": "2026-11-27T10:01:00Z"}
    assert [each.cause for each in first([job, failed])] == ["quota of the namespace"]
    assert first([job, created, failed]) == []


def test_a_job_of_the_blueprint_that_the_cluster_does_not_have_is_to_be_created() -> None:
    (found,) = explain(known([]), PLACES, "pretrain").causes
    assert found.cause == "not created"
    assert found.field
    assert (found.field.path, found.field.line) == ("workloads.jobsets.pretrain", 22)
    assert "no" in explain(known([]), PLACES, "tune").asked
    running = pod(phase="Running")
    ready = {
        "kind": "Node",
        "metadata": {"name": "n"},
        "status": {"conditions": [condition("Ready", "True")]},
    }
    assert explain(known([running, ready]), PLACES, "ml/p").asked == "ml/p does not wait: its pods run"


def test_a_text_without_an_entry_is_still_evidence() -> None:
    (found,) = first([container("SomethingNewError", "of a later version")])
    assert found.cause == "unknown"
    assert "of a later version" in found.evidence.message


def test_a_loop_of_owners_has_an_end() -> None:
    around = pod()
    around["metadata"]["ownerReferences"] = [{"kind": "Pod", "name": "p", "uid": "pod", "controller": True}]
    assert len(first([around])) <= 1


def run(number: int, kind: str) -> Object:
    owner = {"kind": "CronJob", "name": "nightly", "uid": "cron", "controller": True}
    metadata: Object = {"name": f"nightly-{number}", "namespace": "ml", "uid": f"run{number}"}
    metadata |= {"ownerReferences": [owner], "creationTimestamp": f"2026-11-2{number}T00:00:00Z"}
    conditions = [condition(kind, "True", "", "too many")] if kind else []
    return {"kind": "Job", "metadata": metadata, "spec": {}, "status": {"conditions": conditions}}


@pytest.mark.parametrize(
    ("runs", "causes"),
    [
        ([run(1, "Failed"), run(2, "Complete")], []),
        ([run(1, "Complete"), run(2, "Failed")], ["Failed : too many"]),
        ([run(1, "Failed"), run(2, "")], ["ImagePullBackOff:  (container main)"]),
    ],
)
def test_of_the_runs_of_a_schedule_those_before_the_last_are_history(
    runs: list[Object], causes: list[str]
) -> None:
    stuck = container("ImagePullBackOff")
    stuck["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "nightly-2", "uid": "run2"}]
    pods = [] if any(runs[1]["status"]["conditions"]) else [stuck]
    assert [each.evidence.message for each in first([*runs, *pods])] == causes


@pytest.mark.parametrize(
    ("operator", "values", "found"),
    [
        ("In", ["cpu"], "too large"),
        ("NotIn", ["gpu"], "too large"),
        ("Exists", [], "taint"),
        ("DoesNotExist", [], "selector"),
        ("Gt", ["1"], "selector"),
    ],
)
def test_required_node_affinity_selects_nodes_as_labels_do(
    operator: str, values: list[str], found: str
) -> None:
    taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    nodes = [
        {"metadata": {"labels": {"pool": pool}}, "spec": spec, "status": {"allocatable": {"cpu": cpu}}}
        for pool, cpu, spec in (("cpu", "4", {}), ("gpu", "200", {"taints": [taint]}))
    ]
    terms = [{"matchExpressions": [{"key": "pool", "operator": operator, "values": values}]}]
    affinity = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    spec = {
        "affinity": {"nodeAffinity": affinity},
        "containers": [{"resources": {"requests": {"cpu": "8"}}}],
    }
    (text,) = misfit({"spec": spec}, nodes)
    assert text.startswith(found)


@pytest.mark.parametrize(
    ("operator", "wanted", "matches"),
    [("Gt", "7", True), ("Gt", "8", False), ("Lt", "9", True), ("Lt", "8", False)],
)
def test_numbers_of_labels_are_compared(operator: str, wanted: str, *, matches: bool) -> None:
    taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    node = {"metadata": {"labels": {"gpus": "8"}}, "spec": {"taints": [taint]}, "status": {}}
    terms = [{"matchExpressions": [{"key": "gpus", "operator": operator, "values": [wanted]}]}]
    affinity = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    (text,) = misfit({"spec": {"affinity": {"nodeAffinity": affinity}, "containers": []}}, [node])
    assert text.startswith("taint" if matches else "selector")


def test_a_node_that_is_just_large_enough_is_large_enough() -> None:
    taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    node = {"metadata": {}, "spec": {"taints": [taint]}, "status": {"allocatable": {"cpu": "8"}}}
    spec = {"containers": [{"resources": {"requests": {"cpu": "8"}}}]}
    (text,) = misfit({"spec": spec}, [node])
    assert text.startswith("taint")


def test_every_row_has_a_source_and_can_be_reached() -> None:
    rows = json.loads((Path(__file__).parents[3] / "clusterprint/status/inside/causes.json").read_text())
    assert all(each["source"] and each["do"] for each in rows)
    assert len({(each.at, each.pattern.pattern) for each in ROWS}) == len(ROWS)


# Recorded from JobSet 0.12.0, Kueue 0.17.1 and the slice provisioner, on Kubernetes 1.34.4.
FOLLOWERS = [
    "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error",
    "follower pod node selector for topology domain not found. missing selector: topology.gke.io/a",
]
SCHEDULER = "0/11 nodes are available: 11 node(s) didn't match Pod's node affinity/selector."


def slice_job(
    reason: str = "", status: str = "False", *, pods: bool = True, denied: str = ""
) -> list[Object]:
    """A JobSet with a job whose first pod waits, and what the provisioner and JobSet's webhook say."""
    told = [condition("SliceProvisioned", status, reason, "0 of 1 slices have their pool")] if reason else []
    top = {"kind": "JobSet", "metadata": {"name": "tpu", "namespace": "ml", "uid": "s"}}
    of_top = {"kind": "JobSet", "name": "tpu", "uid": "s", "controller": True}
    of_job = {"kind": "Job", "name": "tpu-0", "uid": "k", "controller": True}
    job = {
        "kind": "Job",
        "metadata": {"name": "tpu-0", "namespace": "ml", "uid": "k", "ownerReferences": [of_top]},
    }
    waits = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": SCHEDULER}
    first_pod = pod("tpu-0-0", conditions=[waits])
    first_pod["metadata"]["ownerReferences"] = [of_job]
    first_pod["spec"].pop("nodeName")
    text = f'Error creating: admission webhook "vpod.kb.io" denied the request: {denied}'
    events = [event("FailedCreate", text, kind="Job", name="tpu-0")] if denied else []
    return [top | {"status": {"conditions": told}}, job, *([first_pod] if pods else []), *events]


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("Refused", "no slice fits"),
        ("Unschedulable", "slice without its pod"),
        ("Occupied", "slice taken"),
        ("Limited", "limit of the namespace"),
        ("StockOut", "no capacity in the zone"),
        ("QuotaExceeded", "quota of the project"),
        ("ReservationUnavailable", "reservation"),
        ("Forbidden", "node creation not permitted"),
        ("Failed", "slice cannot be created"),
        ("Provisioning", "slice on its way"),
        ("LeftToAutoscaler", "left to the autoscaler"),
    ],
)
def test_what_the_slice_provisioner_says_comes_before_the_scheduler(reason: str, cause: str) -> None:
    assert [each.cause for each in first(slice_job(reason))] == [cause]
    assert [each.cause for each in first(slice_job(reason, "True"))] == ["selector matches no node"]


def test_of_other_owners_the_last_event_of_the_provisioner_counts() -> None:
    objects = slice_job()
    refused = event("NodePoolRefused", "no machine has 5 chips", kind="Job", name="tpu-0")
    assert [each.cause for each in first([*objects, refused])] == ["no slice fits"]
    since = event("NodePoolCreationSucceeded", "x has its nodes", kind="Job", name="tpu-0")
    since["lastTimestamp"] = "2026-11-27T21:00:00Z"
    assert [each.cause for each in first([*objects, refused, since])] == ["selector matches no node"]


@pytest.mark.parametrize("denied", FOLLOWERS)
def test_pods_that_wait_for_the_first_of_their_job_are_not_the_cause(denied: str) -> None:
    assert [each.cause for each in first(slice_job(denied=denied))] == ["selector matches no node"]
    assert [each.cause for each in first(slice_job(denied=denied, pods=False))] == ["webhook refuses"]
    assert [each.cause for each in first(slice_job(denied="no such label"))] == ["webhook refuses"]


@pytest.mark.process
def test_kinds_that_cannot_be_read_are_named_and_the_others_still_count(tmp_path: Path) -> None:
    kubectl = StandIns(
        tmp_path / "bin",
        kubectl=[
            Answer("get pods", {"items": [container("ImagePullBackOff")]}),
            Answer("get events", err="Error from server (Forbidden): events is forbidden", code=1),
            Answer("get ", err='error: the server doesn\'t have a resource type "x"', code=1),
        ],
    )
    found: Waiting = waiting(inside(PLANS), PLACES, Programs(kubectl.environment))
    assert found.unknown == ("events: kubectl: Error from server (Forbidden): events is forbidden",)
    (cause,) = as_data(found)["waiting"]
    assert (cause["cause"], cause["field"], cause["evidence"]["name"]) == (
        "image cannot be pulled",
        None,
        "p",
    )
    assert all(
        "--context=gke_my-gpu-project_us-east4_bench" in call and "get" in call for call in kubectl.calls
    )
