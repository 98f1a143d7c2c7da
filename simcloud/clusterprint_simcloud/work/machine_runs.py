"""Runs of programs over machines of kind vm, whose nodes put status and log into a bucket."""

from __future__ import annotations

from typing import Any, NamedTuple

from clusterprint_simcloud.cloud.contents import Contents
from clusterprint_simcloud.work import runs

#: Pools of names in the contents: when each run has started, and how it is to end.
STARTED, OUTCOMES = "runs started", "runs to end as"
_OBJECT = "google_storage_bucket_object"


class Described(NamedTuple):
    """A run as its file describes it."""

    name: str
    bucket: str
    folder: str

    @property
    def place(self) -> str:
        """Where its results are."""
        return f"{self.bucket}/{self.folder}"


def described(content: Any) -> Described | None:
    """The run that the content of an object describes, if it does: lines of key=value."""
    if not isinstance(content, str) or not content.startswith("run="):
        return None
    said = dict(line.partition("=")[::2] for line in content.splitlines())
    if not said.get("bucket") or not said.get("results"):
        return None
    return Described(said["run"], said["bucket"], said["results"])


def find(contents: Contents, place: str) -> runs.Run | None:
    """The run whose results are in a folder of a bucket; None if no file describes one."""
    for one in contents.of(_OBJECT):
        said = described(one.state.get("content"))
        if said is not None and said.place == place:
            created = int(contents.leases.get(STARTED, {}).get(place, "0"))
            outcome = contents.leases.get(OUTCOMES, {}).get(place, runs.SUCCEEDED)
            return runs.Run(said.name, created, outcome)
    return None


def file_of(contents: Contents, bucket: str, name: str) -> str | None:
    """The status or the log of a run; None if there is no such run, or its nodes still start."""
    folder, _, file = name.rpartition("/")
    run = find(contents, f"{bucket}/{folder}") if file in {"status", "log"} else None
    now = contents.rest.clock
    if run is None or run.state(now) in {runs.QUEUED, runs.ADMITTED, runs.PREEMPTED}:
        return None
    if file == "log":
        return "".join(f"{line}\n" for line in run.log(now, f"the run {run.name}", [run.name]))
    state = run.state(now)
    said = {"state": state, "node": "simulated", "started": run.began(runs.RUNNING, now)}
    if runs.ended(state):
        code = "1" if state == runs.FAILED else "0"
        said |= {"exit_status": code, "ended": run.began(state, now), "message": f"simulated: {state}"}
    return "".join(f"{key}={value}\n" for key, value in said.items())
