"""The kinds of Kubernetes objects that run something: their pods, and the status that controllers write."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.work import runs
from clusterprint_simcloud.work.clock import told

_QUEUE = "kueue.x-k8s.io/queue-name"
Object = Mapping[str, Any]


class Pod(NamedTuple):
    """A pod that a kind makes; `first` ends with the code of the run, all others follow it."""

    name: str
    template: Object
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}
    first: bool = False
    kept: bool = True  # after the end of the run


class Kind(NamedTuple):
    """A kind: its name for kubectl, whether it serves without end, its pods, its status."""

    plural: str
    serves: bool
    pods: Callable[[str, Object], Iterator[Pod]]
    status: Callable[[runs.Run, Object, int], dict[str, Any]]


def _get(value: Any, path: str, default: Any = None) -> Any:
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return default if value is None else value


def _suffix(text: str) -> str:
    """Five letters, as controllers invent them, but always the same ones."""
    return hashlib.sha256(text.encode()).hexdigest()[:5]


def _number(value: Any, default: int = 1) -> int:
    return value if isinstance(value, int) else default


# ---- pods


def _mpi_pods(name: str, spec: Object) -> Iterator[Pod]:
    for role in ("Launcher", "Worker"):
        replicas = _get(spec, f"mpiReplicaSpecs.{role}", {})
        labels = {"training.kubeflow.org/job-name": name, "training.kubeflow.org/job-role": role.lower()}
        if role == "Launcher":
            pod = f"{name}-launcher-{_suffix(name)}"
            yield Pod(pod, _get(replicas, "template", {}), labels, first=True)
            continue
        for number in range(_number(_get(replicas, "replicas"))):
            yield Pod(f"{name}-worker-{number}", _get(replicas, "template", {}), labels, kept=False)


def _jobset_pods(name: str, spec: Object) -> Iterator[Pod]:
    first = True
    for job in _get(spec, "replicatedJobs", []):
        inner = _get(job, "template.spec", {})
        for replica in range(_number(job.get("replicas"))):
            for index in range(_number(inner.get("completions"), _number(inner.get("parallelism")))):
                pod = f"{name}-{job.get('name')}-{replica}-{index}"
                labels = {
                    "jobset.sigs.k8s.io/jobset-name": name,
                    "jobset.sigs.k8s.io/replicatedjob-name": str(job.get("name")),
                    "jobset.sigs.k8s.io/job-index": str(replica),
                }
                marks = {"batch.kubernetes.io/job-completion-index": str(index)}
                yield Pod(f"{pod}-{_suffix(pod)}", inner.get("template") or {}, labels, marks, first)
                first = False


def _train_pods(name: str, spec: Object) -> Iterator[Pod]:
    """Trainer makes a JobSet of the TrainJob's name, whose one job has a pod for each node."""
    container = {"name": "node", **_get(spec, "trainer", {})}
    job = {
        "completions": _get(spec, "trainer.numNodes", 1),
        "template": {"spec": {"containers": [container]}},
    }
    yield from _jobset_pods(name, {"replicatedJobs": [{"name": "node", "template": {"spec": job}}]})


def _leader_pods(name: str, spec: Object) -> Iterator[Pod]:
    both = _get(spec, "leaderWorkerTemplate", {})
    worker = both.get("workerTemplate") or {}
    for group in range(_number(spec.get("replicas"))):
        for index in range(_number(both.get("size"))):
            pod = f"{name}-{group}-{index}" if index else f"{name}-{group}"
            template = worker if index else both.get("leaderTemplate") or worker
            labels = {"leaderworkerset.sigs.k8s.io/name": name}
            yield Pod(pod, template, labels, first=not group and not index)


def _ray_pods(name: str, spec: Object) -> Iterator[Pod]:
    labels = {"ray.io/cluster": name}
    head = {**labels, "ray.io/node-type": "head"}
    yield Pod(f"{name}-head-{_suffix(name)}", _get(spec, "headGroupSpec.template", {}), head, first=True)
    for group in _get(spec, "workerGroupSpecs", []):
        for number in range(_workers(group)):
            pod = f"{name}-{group.get('groupName')}-worker-{_suffix(f'{name}{number}')}"
            yield Pod(pod, group.get("template") or {}, {**labels, "ray.io/node-type": "worker"})


def _workers(group: Object) -> int:
    return _number(group.get("replicas"), _number(group.get("minReplicas"), 0)) * _number(
        group.get("numOfHosts")
    )


def _ray_job_pods(name: str, spec: Object) -> Iterator[Pod]:
    given = _get(spec, "submitterPodTemplate", {})
    template = given or {
        "spec": {"containers": [{"name": "ray-job-submitter", "args": [spec.get("entrypoint", "")]}]}
    }
    yield Pod(f"{name}-{_suffix(name)}", template, {"job-name": name}, first=True)


def _service_pods(name: str, spec: Object) -> Iterator[Pod]:
    return _ray_pods(name, _get(spec, "rayClusterConfig", {}))


def _job_pods(name: str, spec: Object) -> Iterator[Pod]:
    labels = {"job-name": name, "batch.kubernetes.io/job-name": name}
    for index in range(_number(spec.get("completions"), _number(spec.get("parallelism")))):
        marks = {"batch.kubernetes.io/job-completion-index": str(index)}
        yield Pod(f"{name}-{index}-{_suffix(name)}", spec.get("template") or {}, labels, marks, not index)


# ---- status


def _conditions(run: runs.Run, now: int, names: Mapping[str, str]) -> list[dict[str, str]]:
    """The condition that the current state makes true, as controllers write it."""
    state = run.state(now)
    if state not in names or (state == runs.QUEUED and not run.waits):
        return []
    message = {
        runs.QUEUED: run.stuck or "simulated: waits in its queue",
        runs.PREEMPTED: "simulated: preempted by a run of higher priority, and queued again",
        runs.FAILED: "simulated: failed on request",
    }.get(state, f"simulated: {state}")
    began = run.began(state, now)
    reason = f"Simulated{state.capitalize()}"
    return [
        {
            "type": names[state],
            "status": "True",
            "reason": reason,
            "message": message,
            "lastTransitionTime": began,
        }
    ]


def _mpi_status(run: runs.Run, _spec: Object, now: int) -> dict[str, Any]:
    names = {
        runs.QUEUED: "Suspended", runs.PREEMPTED: "Suspended", runs.RUNNING: "Running",
        runs.SUCCEEDED: "Succeeded", runs.FAILED: "Failed",
    }  # fmt: skip
    return {"conditions": _conditions(run, now, names), **_times(run, now, "startTime", "completionTime")}


def _times(run: runs.Run, now: int, start: str, end: str) -> dict[str, str]:
    state = run.state(now)
    found = {start: run.began(runs.ADMITTED, now), end: run.began(state, now) if runs.ended(state) else ""}
    return {name: moment for name, moment in found.items() if moment}


def _jobset_status(run: runs.Run, spec: Object, now: int) -> dict[str, Any]:
    names = {
        runs.QUEUED: "Suspended", runs.PREEMPTED: "Suspended", runs.SUCCEEDED: "Completed",
        runs.FAILED: "Failed",
    }  # fmt: skip
    runs_now = run.state(now) == runs.RUNNING
    jobs = [
        {"name": each.get("name"), "ready": _number(each.get("replicas")) if runs_now else 0}
        for each in _get(spec, "replicatedJobs", [])
    ]
    return {"conditions": _conditions(run, now, names), "replicatedJobsStatus": jobs}


def _train_status(run: runs.Run, _spec: Object, now: int) -> dict[str, Any]:
    found = _jobset_status(run, {"replicatedJobs": [{"name": "node"}]}, now)
    conditions = [
        {**each, "type": "Complete" if each["type"] == "Completed" else each["type"]}
        for each in found["conditions"]
    ]
    return {"conditions": conditions, "jobsStatus": found["replicatedJobsStatus"]}


def _leader_status(run: runs.Run, spec: Object, now: int) -> dict[str, Any]:
    wanted = _number(spec.get("replicas"))
    return {"replicas": wanted, "readyReplicas": wanted if run.state(now) == runs.RUNNING else 0}


def _ray_status(run: runs.Run, spec: Object, now: int) -> dict[str, Any]:
    ready = run.state(now) == runs.RUNNING
    wanted = sum(map(_workers, _get(spec, "workerGroupSpecs", [])))
    found: dict[str, Any] = {"readyWorkerReplicas": wanted if ready else 0, "desiredWorkerReplicas": wanted}
    return found | ({"state": "ready"} if ready else {"reason": "simulated: its pods start"})


def _ray_job_status(run: runs.Run, _spec: Object, now: int) -> dict[str, Any]:
    state = run.state(now)
    deployment, job = {
        runs.QUEUED: ("Suspended" if run.waits else "Initializing", ""),
        runs.PREEMPTED: ("Suspended", "STOPPED"),
        runs.ADMITTED: ("Initializing", ""),
        runs.RUNNING: ("Running", "RUNNING"),
        runs.SUCCEEDED: ("Complete", "SUCCEEDED"),
        runs.FAILED: ("Failed", "FAILED"),
    }[state]
    times = _times(run, now, "startTime", "endTime")
    message = run.stuck or ("simulated: failed on request" if state == runs.FAILED else f"simulated: {state}")
    return {"jobDeploymentStatus": deployment, "jobStatus": job, "message": message, **times}


def _service_status(run: runs.Run, _spec: Object, now: int) -> dict[str, Any]:
    ready = run.state(now) == runs.RUNNING
    return {
        "serviceStatus": "Running" if ready else "",
        "conditions": [{"type": "Ready", "status": "True" if ready else "False", "message": "simulated"}],
    }


def _job_status(run: runs.Run, _spec: Object, now: int) -> dict[str, Any]:
    names = {
        runs.QUEUED: "Suspended", runs.PREEMPTED: "Suspended", runs.SUCCEEDED: "Complete",
        runs.FAILED: "Failed",
    }  # fmt: skip
    active = int(run.state(now) in {runs.ADMITTED, runs.RUNNING})
    times = _times(run, now, "startTime", "completionTime")
    return {"conditions": _conditions(run, now, names), "active": active, **times}


#: By the type of their records.
KINDS: Mapping[str, Kind] = {
    "MPIJob.kubeflow.org": Kind("mpijobs", False, _mpi_pods, _mpi_status),
    "JobSet.jobset.x-k8s.io": Kind("jobsets", False, _jobset_pods, _jobset_status),
    "TrainJob.trainer.kubeflow.org": Kind("trainjobs", False, _train_pods, _train_status),
    "LeaderWorkerSet.leaderworkerset.x-k8s.io": Kind("leaderworkersets", True, _leader_pods, _leader_status),
    "RayCluster.ray.io": Kind("rayclusters", True, _ray_pods, _ray_status),
    "RayJob.ray.io": Kind("rayjobs", False, _ray_job_pods, _ray_job_status),
    "RayService.ray.io": Kind("rayservices", True, _service_pods, _service_status),
    "Job.batch": Kind("jobs", False, _job_pods, _job_status),
}


# ---- objects


def kept(api: str, content: Object, namespace: str, created: int, before: Object | None) -> dict[str, Any]:
    """The state of a new record of such a kind, going on with a run from `before`; none for others."""
    if api not in KINDS:
        return {}
    same = {} if before is None else {name: before[name] for name in ("created", "outcome") if name in before}
    return {"created": created, **same, "namespace": namespace, "content": dict(content)}


def run_of(contents: Contents, record: Record, home: str) -> runs.Run:
    """The run that an object stands for."""
    state, content = record.state, record.state["content"]
    queue = str(_get(content, "metadata.labels", {}).get(_QUEUE) or "")
    place = f"{home}/{state['namespace']}/{queue}"
    lost = bool(queue) and contents.get("LocalQueue.kueue.x-k8s.io", place) is None
    stuck = f"simulated: there is no LocalQueue {queue} in namespace {state['namespace']}" if lost else ""
    kind = KINDS[record.type]
    outcome = state.get("outcome", runs.SUCCEEDED)
    return runs.Run(state["name"], state["created"], outcome, kind.serves, bool(queue), stuck)


def object_of(contents: Contents, record: Record, home: str) -> dict[str, Any]:
    """The object as the API server has it now."""
    content, state = record.state["content"], record.state
    metadata = {
        **_get(content, "metadata", {}),
        "name": state["name"],
        "namespace": state["namespace"],
        "creationTimestamp": told(state["created"]),
    }
    metadata.pop("generateName", None)
    now, run = contents.rest.clock, run_of(contents, record, home)
    status = KINDS[record.type].status(run, content.get("spec") or {}, now)
    return {**content, "metadata": metadata, "status": status}


def pods_of(contents: Contents, record: Record, home: str) -> Iterator[tuple[Pod, dict[str, Any]]]:
    """The pods of an object as the API server has them now."""
    now, run = contents.rest.clock, run_of(contents, record, home)
    state = run.state(now)
    if state in {runs.QUEUED, runs.PREEMPTED}:
        return
    for pod in KINDS[record.type].pods(run.name, record.state["content"].get("spec") or {}):
        if pod.kept or not runs.ended(state):
            yield pod, _pod(pod, run, record.state["namespace"], now)


def _pod(pod: Pod, run: runs.Run, namespace: str, now: int) -> dict[str, Any]:
    state, marks = run.state(now), _get(pod.template, "metadata", {})
    spec = _get(pod.template, "spec", {})
    code = 0 if state != runs.FAILED else 1 if pod.first else 143
    detail: dict[str, Any] = {
        runs.ADMITTED: {"waiting": {"reason": "ContainerCreating"}},
        runs.RUNNING: {"running": {"startedAt": run.began(runs.RUNNING, now)}},
    }.get(state) or {
        "terminated": {
            "exitCode": code,
            "reason": "Error" if code else "Completed",
            "startedAt": run.began(runs.RUNNING, now),
            "finishedAt": run.began(state, now),
        }
    }
    phase = {runs.ADMITTED: "Pending", runs.RUNNING: "Running"}.get(state, "Failed" if code else "Succeeded")
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": pod.name,
            "namespace": namespace,
            "labels": {**(marks.get("labels") or {}), **pod.labels},
            "annotations": {**(marks.get("annotations") or {}), **pod.annotations},
            "creationTimestamp": run.began(runs.ADMITTED, now),
        },
        "spec": spec,
        "status": {
            "phase": phase,
            "containerStatuses": [
                {"name": str(each.get("name")), "ready": state == runs.RUNNING, "state": detail}
                for each in spec.get("containers") or []
            ],
        },
    }
