"""The status of a JobSet or a TrainJob, and of their pods."""

from typing import Any

from clusterprint.results.job import Ending, Job, State, ended

_NUMBERS = ("jobset.sigs.k8s.io/job-index", "batch.kubernetes.io/job-completion-index")

# Several conditions are true of a job that has ended: the first of these is what matters.
_CONDITIONS = (
    ("Failed", State.FAILED),
    ("Completed", State.SUCCEEDED),
    ("Complete", State.SUCCEEDED),
    ("Suspended", State.QUEUED),
)


def read_jobset(found: dict[str, Any] | None) -> Job:
    """The state of a JobSet or a TrainJob (None for none)."""
    if found is None:
        return Job(State.MISSING)
    status = found.get("status", {})
    true = {each["type"]: each for each in status.get("conditions", ()) if each.get("status") == "True"}
    started = found.get("metadata", {}).get("creationTimestamp", "")
    for name, meaning in _CONDITIONS:
        if name in true:
            over = true[name].get("lastTransitionTime", "") if meaning.final else ""
            return Job(meaning, true[name].get("message", ""), started, over)
    jobs = status.get("replicatedJobsStatus") or status.get("jobsStatus", ())
    return Job(State.RUNNING if any(each.get("ready") for each in jobs) else State.CREATED, "", started)


def read_pods(pods: list[dict[str, Any]], container: str) -> Ending | None:
    """The pod that says how a JobSet has ended: the first that failed, or else the very first one.

    None if all are gone.
    """
    if not pods:
        return None
    failed = [(over, pod) for pod in pods if (over := ended(pod, container)) and over.get("exitCode")]
    if failed:
        first = min(failed, key=lambda each: (each[0].get("finishedAt", ""), _place(each[1])))[1]
    else:
        first = min(pods, key=_place)
    over = ended(first, container)
    return Ending(
        first["metadata"]["name"],
        over.get("exitCode"),
        over.get("reason") or first.get("status", {}).get("reason", ""),
        # Pods of earlier tries are gone.
        1,
    )


def _place(pod: dict[str, Any]) -> tuple[int, int, str]:
    """The number of a pod's replica, and its own in there."""
    metadata = pod["metadata"]
    marks = {**metadata.get("annotations", {}), **metadata.get("labels", {})}
    replica, index = (int(text) if (text := marks.get(each, "")).isdigit() else 0 for each in _NUMBERS)
    return replica, index, metadata["name"]
