"""The end of a JobSet, according to it and its pods."""

from typing import Any

import pytest

from clusterprint.results.job import State
from clusterprint.results.jobset import read_jobset, read_pods


def jobset(*conditions: str, ready: int = 0) -> dict[str, Any]:
    found = [
        {"type": each, "status": "True", "message": "why", "lastTransitionTime": "2026-11-22T11:00:00Z"}
        for each in conditions
    ]
    return {
        "metadata": {"creationTimestamp": "2026-11-22T10:00:00Z"},
        "status": {"conditions": found, "replicatedJobsStatus": [{"name": "workers", "ready": ready}]},
    }


def pod(replica: int, index: int, exit_code: int | None, at: str = "") -> dict[str, Any]:
    terminated = {"terminated": {"exitCode": exit_code, "reason": "Error", "finishedAt": at}}
    state = {"running": {}} if exit_code is None else terminated
    return {
        "metadata": {
            "name": f"train-workers-{replica}-{index}-x",
            "labels": {"jobset.sigs.k8s.io/job-index": str(replica)},
            "annotations": {"batch.kubernetes.io/job-completion-index": str(index)},
        },
        "status": {"containerStatuses": [{"name": "main", "state": state}]},
    }


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (None, State.MISSING),
        ({}, State.CREATED),
        (jobset("Suspended"), State.QUEUED),
        (jobset(), State.CREATED),
        (jobset(ready=2), State.RUNNING),
        (jobset("Completed"), State.SUCCEEDED),
        (jobset("StartupPolicyCompleted", "Failed"), State.FAILED),
        # TrainJobs have one more word for it, and other numbers.
        (jobset("Complete"), State.SUCCEEDED),
        ({"status": {"jobsStatus": [{"name": "node", "ready": 1}]}}, State.RUNNING),
    ],
)
def test_where_a_jobset_stands(found: dict[str, Any] | None, state: State) -> None:
    assert read_jobset(found).state is state


def test_an_ended_jobset_says_since_when_and_why() -> None:
    job = read_jobset(jobset("Failed"))
    assert (job.message, job.started, job.ended) == ("why", "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z")
    assert read_jobset(jobset("Suspended")).ended == ""


def test_the_first_pod_tells_of_a_success() -> None:
    ending = read_pods([pod(1, 0, 0), pod(0, 10, 0), pod(0, 9, 0), pod(0, 2, 0)], "main")
    assert ending is not None
    assert (ending.pod, ending.exit_code) == ("train-workers-0-2-x", 0)


def test_the_pod_that_failed_first_tells_of_a_failure() -> None:
    pods = [pod(0, 0, None), pod(0, 1, 137, "2026-11-22T10:30:01Z"), pod(1, 1, 1, "2026-11-22T10:30:00Z")]
    ending = read_pods(pods, "main")
    assert ending is not None
    assert (ending.pod, ending.exit_code) == ("train-workers-1-1-x", 1)


def test_pods_that_are_gone_tell_nothing() -> None:
    assert read_pods([], "main") is None
