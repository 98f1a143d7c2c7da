"""Runs of programs over machines of kind vm, whose nodes put status and log into a bucket."""

from __future__ import annotations

from typing import Any, NamedTuple

from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.cloud.groups import INSTANCE
from clusterprint_simcloud.work import runs

#: Pools of names in the contents: when each run has started, and how it is to end.
STARTED, OUTCOMES = "runs started", "runs to end as"
_STOPPED = "runs stopped"
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


def file(contents: Contents, place: str) -> Record | None:
    """The file that describes the run whose results are in a folder of a bucket."""
    for one in contents.of(_OBJECT):
        said = described(one.state.get("content"))
        if said is not None and said.place == place:
            return one
    return None


def find(contents: Contents, place: str) -> runs.Run | None:
    """The run whose results are in a folder of a bucket; None if no file describes one."""
    one = file(contents, place)
    said = described(one.state.get("content")) if one else None
    if said is not None:
        created = int(contents.leases.get(STARTED, {}).get(place, "0"))
        outcome = contents.leases.get(OUTCOMES, {}).get(place, runs.SUCCEEDED)
        stopped = contents.leases.get(_STOPPED, {}).get(place)
        return runs.Run(said.name, created, outcome, stopped=int(stopped) if stopped else None)
    return None


def _nodes(contents: Contents, file: Record) -> list[str]:
    """The nodes of the cluster whose file it is: files lie under the name of their cluster."""
    folders = str(file.state.get("name")).split("/")
    found = [str(each.state["name"]) for each in contents.of(INSTANCE)]
    return sorted(each for each in found if any(each.startswith(f"{folder}-") for folder in folders))


def end(contents: Contents, node: str) -> list[str]:
    """End the runs of the cluster of a node that run now; their names."""
    now, ended = contents.rest.clock, []
    for one in contents.of(_OBJECT):
        said = described(one.state.get("content"))
        run = find(contents, said.place) if said else None
        if said and run and run.state(now) == runs.RUNNING and node in _nodes(contents, one):
            contents.leases.setdefault(_STOPPED, {})[said.place] = str(now)
            ended.append(run.name)
    return ended


def file_of(contents: Contents, bucket: str, name: str) -> str | None:
    """The status or the log of a run; None if there is no such run, or its nodes still start."""
    folder, _, what = name.rpartition("/")
    run = find(contents, f"{bucket}/{folder}") if what in {"status", "log"} else None
    now = contents.rest.clock
    if run is None or run.state(now) in {runs.QUEUED, runs.ADMITTED, runs.PREEMPTED}:
        return None
    if what == "log":
        return "".join(f"{line}\n" for line in run.log(now, f"the run {run.name}", [run.name]))
    state = run.state(now)
    own = file(contents, f"{bucket}/{folder}")
    node = next(iter(_nodes(contents, own) if own else ()), "simulated")
    said = {"state": state, "node": node, "started": run.began(runs.RUNNING, now)}
    if runs.ended(state):
        code = "1" if state == runs.FAILED else "0"
        said |= {"exit_status": code, "ended": run.began(state, now), "message": f"simulated: {state}"}
    return "".join(f"{key}={value}\n" for key, value in said.items())
