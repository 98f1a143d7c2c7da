"""The status of a RayJob, as KubeRay writes it."""

from typing import Any

import pytest

from clusterprint.results.job import Job, State
from clusterprint.results.rayjob import read_ray_job


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ({}, State.CREATED),
        ({"jobStatus": "PENDING", "jobDeploymentStatus": "Initializing"}, State.CREATED),
        ({"jobDeploymentStatus": "Suspended"}, State.QUEUED),
        ({"jobStatus": "RUNNING", "jobDeploymentStatus": "Running"}, State.RUNNING),
        ({"jobStatus": "SUCCEEDED", "jobDeploymentStatus": "Complete"}, State.SUCCEEDED),
        ({"jobStatus": "STOPPED", "jobDeploymentStatus": "Complete"}, State.FAILED),
        ({"jobStatus": "RUNNING", "jobDeploymentStatus": "Failed"}, State.FAILED),
    ],
)
def test_the_state_of_a_job_is_what_both_of_its_statuses_say(status: dict[str, Any], state: State) -> None:
    assert read_ray_job({"status": status}).state is state


def test_a_job_that_is_not_there_is_missing() -> None:
    assert read_ray_job(None) == Job(State.MISSING)


def test_when_and_why_a_job_ended_is_kept() -> None:
    status = {"jobStatus": "FAILED", "message": "no memory", "startTime": "9:00", "endTime": "10:00"}
    assert read_ray_job({"status": status}) == Job(State.FAILED, "no memory", "9:00", "10:00")
