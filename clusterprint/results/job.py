"""The status of an MPIJob and its launcher's pods."""

from enum import Enum
from typing import Any, NamedTuple


class State(Enum):
    """Where a job stands. The value completes "the job ..."."""

    MISSING = "does not exist yet"
    CREATED = "waits for its workers"
    QUEUED = "waits in its queue"
    DEACTIVATED = "was deactivated in its queue"
    RUNNING = "runs"
    SUCCEEDED = "has succeeded"
    FAILED = "has failed"

    @property
    def final(self) -> bool:
        """Whether it will not change any more."""
        return self in (State.SUCCEEDED, State.FAILED)


class Job(NamedTuple):
    """The state of a job; `message` is the operator's."""

    state: State
    message: str = ""
    started: str = ""
    ended: str = ""


# Several conditions are true of a job that has ended: the first of these is what matters.
_CONDITIONS = (
    ("Failed", State.FAILED),
    ("Succeeded", State.SUCCEEDED),
    ("Suspended", State.QUEUED),
    ("Running", State.RUNNING),
)


def read_job(found: dict[str, Any] | None) -> Job:
    """The state of an MPIJob (None for none)."""
    if found is None:
        return Job(State.MISSING)
    status = found.get("status", {})
    true = {each["type"]: each for each in status.get("conditions", ()) if each.get("status") == "True"}
    state, message = State.CREATED, ""
    for name, meaning in _CONDITIONS:
        if name in true:
            state, message = meaning, true[name].get("message", "")
            break
    return Job(state, message, status.get("startTime", ""), status.get("completionTime", ""))


class Ending(NamedTuple):
    """The pod that says how a job has ended; no `exit_code` while, or if, it has not ended by itself."""

    pod: str
    exit_code: int | None
    reason: str
    attempts: int


def read_launcher(pods: list[dict[str, Any]], container: str) -> Ending | None:
    """The last of a job's launchers; None if all are gone."""
    if not pods:
        return None
    last = max(pods, key=lambda pod: (pod["metadata"].get("creationTimestamp", ""), pod["metadata"]["name"]))
    over = ended(last, container)
    return Ending(
        last["metadata"]["name"],
        over.get("exitCode"),
        over.get("reason") or last.get("status", {}).get("reason", ""),
        len(pods),
    )


def ended(pod: dict[str, Any], container: str) -> dict[str, Any]:
    """How a container of a pod has ended; empty while it has not."""
    statuses = pod.get("status", {}).get("containerStatuses", ())
    return next(
        (each.get("state", {}).get("terminated") or {} for each in statuses if each.get("name") == container),
        {},
    )
