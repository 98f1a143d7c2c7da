"""The status of a RayJob."""

from typing import Any

from clusterprint.results.job import Job, State

#: The container that KubeRay submits a job from; its log is the job's.
SUBMITTER = "ray-job-submitter"

# What KubeRay says of the deployment decides where the job itself has said nothing.
_JOB = {
    "SUCCEEDED": State.SUCCEEDED,
    "FAILED": State.FAILED,
    "STOPPED": State.FAILED,
    "RUNNING": State.RUNNING,
}
_DEPLOYMENT = {"Failed": State.FAILED, "ValidationFailed": State.FAILED, "Suspended": State.QUEUED}


def read_ray_job(found: dict[str, Any] | None) -> Job:
    """The state of a RayJob (None for none)."""
    if found is None:
        return Job(State.MISSING)
    status = found.get("status", {})
    deployment = _DEPLOYMENT.get(status.get("jobDeploymentStatus", ""))
    state = deployment or _JOB.get(status.get("jobStatus", ""), State.CREATED)
    message = status.get("message", "") or status.get("reason", "")
    return Job(state, message, status.get("startTime", ""), status.get("endTime", "") if state.final else "")
