"""Slurm in the simulated cloud: its commands answer for jobs that run by the clock."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from clusterprint_simcloud.azure.machines import FLEXIBLE, UNIFORM
from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.cloud.groups import INSTANCE
from clusterprint_simcloud.helm.charts import parse
from clusterprint_simcloud.work import nodes, runs

# Pool of names in the contents: jobs by their ids.
_JOBS = "slurm jobs"
#: In Kubernetes: the release of Slurm's chart, and the deployment that its operator makes to log in to.
RELEASE = "slurm"
LOGIN = "deployment/slurm-login-main"
_RELEASE = "helm_release"
_CLUSTER = "google_container_cluster"
_STATES = {
    runs.QUEUED: "PENDING",
    runs.ADMITTED: "CONFIGURING",
    runs.PREEMPTED: "PENDING",
    runs.SUCCEEDED: "COMPLETED",
    runs.FAILED: "FAILED",
}
_LOG = re.compile(r"scontrol show job (\S+) .* tail -n (\d+)")
_NAME = re.compile(r"^#SBATCH\s+(?:--job-name[= ]|-J\s*)(\S+)", re.MULTILINE)
# Files in the start-up script of a node are lines after a bar, and in a cloud-config indented.
_FACT = re.compile(r"^(?:\||\s+)(cluster|computes|group|partition|scale_set_id)=(.*)$", re.MULTILINE)
_GZIP = b"\x1f\x8b"
_UNFINISHED = ("PENDING", "CONFIGURING", "RUNNING")
# A row of `sacct` as `scontrol` shows it.
_SHOWN = (
    "JobId={0} JobName={7} UserId={5}(1000) GroupId={5}(1000) JobState={1} Reason=None ExitCode={2} "
    "RunTime={3} "
    "TimeLimit=UNLIMITED Partition={6} AllocNode:Sid=simulated:1 NodeList={4} NumNodes=1"
)
# Why a job waits, in the words of Slurm.
_WAITS = "Resources"


def answer(contents: Contents, text: str, node: Record) -> tuple[int, list[str]] | None:
    """The exit code and the lines of a command of Slurm on a node; None for another command."""
    words = shlex.split(text)
    if (listed := _listed(contents, words, node)) is not None:
        return 0, listed
    if words[:1] == ["sbatch"]:
        return 0, [_submitted(contents, words[1:])]
    if words[:1] == ["scancel"]:
        return _cancelled(contents, words[1])
    if (log := _LOG.search(text)) is not None:
        return _printed(contents, log[1], int(log[2]))
    return None


def _listed(contents: Contents, words: Sequence[str], node: Record) -> list[str] | None:
    if words[:1] == ["squeue"]:
        return list(_queue(contents))
    if words[:1] == ["env"] and "sinfo" in words[-1]:
        return [*_partitions(contents, node), *_summary(contents)]
    if words[:1] == ["sacct"]:
        return list(_accounts(contents))
    if words == ["scontrol", "--oneliner", "show", "jobs"]:
        shown = [_SHOWN.format(*row.split("|", 7)) for row in _accounts(contents)]
        return shown or ["No jobs in the system"]
    return None


def _submitted(contents: Contents, options: Sequence[str]) -> str:
    given = dict(each.removeprefix("--").partition("=")[::2] for each in options if each.startswith("--"))
    script = "" if "--wrap" in options else sys.stdin.read()
    named = _NAME.search(script)
    name = given.get("job-name") or (named[1] if named else "wrap" if "--wrap" in options else "sbatch")
    held = contents.leases.setdefault(_JOBS, {})
    job = str(len(held) + 1)
    held[job] = json.dumps(
        {
            "name": name,
            "nodes": given.get("nodes", "1"),
            "partition": given.get("partition", "default"),
            "created": contents.rest.clock,
            "outcome": os.environ.get(runs.VARIABLE, runs.SUCCEEDED),
        }
    )
    return f"Submitted batch job {job}"


def _run(job: str, said: dict[str, str | int]) -> runs.Run:
    stopped = said.get("stopped")
    return runs.Run(
        f"{job} {said['name']}",
        int(said["created"]),
        str(said["outcome"]),
        stopped=None if stopped is None else int(stopped),
    )


def _queue(contents: Contents) -> Iterator[str]:
    now = contents.rest.clock
    for job, text in contents.leases.get(_JOBS, {}).items():
        said = json.loads(text)
        state = "CANCELLED" if "stopped" in said else _state(_run(job, said), now)
        reason = _WAITS if state == "PENDING" else "None"
        yield "|".join((job, state, said["partition"], said["nodes"], "simulated", reason, said["name"]))


def _partitions(contents: Contents, node: Record) -> Iterator[str]:
    """The partitions that the start-up script of the node describes: all of their nodes are idle."""
    name = str(node.state["name"])
    if node.type == _RELEASE:
        yield from _of_release(contents, node)
        return
    if node.type != INSTANCE:
        yield from _of_scale_set(contents, node)
        return
    groups = [_facts(each) for each in contents.of(INSTANCE)]
    cluster = next(iter(_facts(node).get("cluster", ())), name)
    for line in _facts(node).get("partition", ()):
        said = dict(each.partition("=")[::2] for each in line.split())
        here = [
            each
            for each in groups
            if cluster in each.get("cluster", ()) and {*each["group"][:1]} & {*said["Nodes"].split(",")}
        ]
        yield f"partition|{said['PartitionName']}|{len(here)}|idle"


def _of_release(contents: Contents, release: Record) -> Iterator[str]:
    """The partitions in the values of the chart: a worker on each node that its set selects."""
    (values,) = parse(release.state["values"][0])
    home = next(each for each in contents.of(_CLUSTER) if release.id.startswith(f"{each.id}/"))
    labels = [one["metadata"]["labels"].items() for one in nodes.nodes_of(contents, home)]
    for name, partition in values["partitions"].items():
        wanted = [
            values["nodesets"][each]["podSpec"]["nodeSelector"].items() for each in partition["nodesets"]
        ]
        found = sum(any(each <= has for each in wanted) for has in labels)
        yield f"partition|{name}|{found}|idle"


def _of_scale_set(contents: Contents, head: Record) -> Iterator[str]:
    """All nodes of the set are in each partition, and the head if it runs jobs."""
    facts = _facts(head)
    wanted = {each.lower() for each in facts.get("scale_set_id", ())}
    sets = [each for each in contents.of(FLEXIBLE, UNIFORM) if each.id.lower() in wanted]
    nodes = sum(int(each.state.get("instances") or 0) for each in sets) + ("yes" in facts.get("computes", ()))
    for line in facts.get("partition", ()):
        said = dict(each.partition("=")[::2] for each in line.split())
        yield f"partition|{said['PartitionName']}|{nodes}|idle"


def _facts(node: Record) -> dict[str, list[str]]:
    script = str((node.state.get("metadata") or {}).get("startup-script", ""))
    if data := base64.b64decode(str(node.state.get("custom_data") or "")):
        script = (gzip.decompress(data) if data.startswith(_GZIP) else data).decode()
    found: dict[str, list[str]] = {}
    for key, value in _FACT.findall(script):
        found.setdefault(key, []).append(value)
    return found


def _summary(contents: Contents) -> Iterator[str]:
    rows = [row for row in _queue(contents) if row.split("|")[1] in _UNFINISHED]
    for state, number in Counter(row.split("|")[1] for row in rows).items():
        yield f"count|{number}|{state}"
    yield from (f"job|{row}" for row in rows)


def _accounts(contents: Contents) -> Iterator[str]:
    """The jobs as `sacct` lists them."""
    for row in _queue(contents):
        job, state, partition, _, user, _, name = row.split("|", 6)
        code = "1:0" if state == "FAILED" else "0:0"
        yield f"{job}|{state}|{code}|00:01:00|simulated|{user}|{partition}|{name}"


def _state(run: runs.Run, now: int) -> str:
    state = run.state(now)
    return _STATES.get(state, state.upper())


def _cancelled(contents: Contents, job: str) -> tuple[int, list[str]]:
    held = contents.leases.get(_JOBS, {})
    if job not in held:
        return 1, [f"scancel: error: Kill job error on job id {job}: Invalid job id specified"]
    said = json.loads(held[job])
    if not runs.ended(_run(job, said).state(contents.rest.clock)):
        held[job] = json.dumps({**said, "stopped": contents.rest.clock})
    return 0, []


def _printed(contents: Contents, job: str, lines: int) -> tuple[int, list[str]]:
    text = contents.leases.get(_JOBS, {}).get(job)
    if text is None:
        return 1, ["slurm_load_jobs error: Invalid job id specified"]
    said = json.loads(text)
    run = _run(job, said)
    found = run.log(contents.rest.clock, f"job {job} of Slurm", [str(said["name"])])
    return 0, (found or [f"simulated: job {job} has printed nothing yet"])[-lines:]
