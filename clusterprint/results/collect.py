"""Wait for the end of a run, and keep what it has printed."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.results.job import Ending, Job, State, read_job, read_launcher
from clusterprint.results.jobset import read_jobset, read_pods
from clusterprint.results.kubectl import Kubectl, Unanswered
from clusterprint.results.poller import Poller
from clusterprint.results.rayjob import read_ray_job
from clusterprint.results.workload import OF_JOB, WORKLOADS, deactivated

#: What every kept log begins with.
HEADING = b"# run: "


class Kind(NamedTuple):
    """A kind of job: what kubectl calls it, the labels of its pods, and how both are read.

    `teller` is the pod that tells how it has ended.
    """

    resource: str
    labels: str
    teller: str
    read_job: Callable[[dict[str, Any] | None], Job]
    read_pods: Callable[[list[dict[str, Any]], str], Ending | None]


MPI_JOB = Kind(
    "mpijobs.kubeflow.org",
    "training.kubeflow.org/job-name={name},training.kubeflow.org/job-role=launcher",
    "the launcher's pod",
    read_job,
    read_launcher,
)
JOB_SET = Kind(
    "jobsets.jobset.x-k8s.io", "jobset.sigs.k8s.io/jobset-name={name}", "its pod", read_jobset, read_pods
)
# Its JobSet has its name.
TRAIN_JOB = JOB_SET._replace(resource="trainjobs.trainer.kubeflow.org")

RAY_JOB = Kind("rayjobs.ray.io", "job-name={name}", "the pod that submitted it", read_ray_job, read_launcher)


class Run(NamedTuple):
    """A run to wait for: its name, and that of the container whose log is kept."""

    name: str
    container: str
    kind: Kind = MPI_JOB


class Collected(NamedTuple):
    """How a run has ended; `exit_code` is None if the pod did not end by itself, or is gone."""

    succeeded: bool
    exit_code: int | None
    message: str


def collect(kubectl: Kubectl, run: Run, *, file: Path, poller: Poller) -> Collected:
    """Wait until a run has ended, and write its log into `file`, under a heading that says how.

    The file is written aside and moved: it is whole, or not there. Raises EnvironmentFailure if the run has
    not ended in time or does not start any more, or if the cluster cannot be reached.
    """
    job = _ended(kubectl, run, poller)
    ending = poller.answer(lambda: _ending(kubectl, run))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as aside:
            whole = Path(aside) / "whole"
            with whole.open("wb") as stream:
                stream.write(_heading(run, job, ending).encode("utf-8", "replace"))
                if ending:
                    log, pod = Path(aside) / "log", ending.pod
                    poller.answer(lambda: kubectl.logs(pod, run.container, log))
                    with log.open("rb") as part:
                        shutil.copyfileobj(part, stream)
            whole.replace(file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error
    return Collected(job.state is State.SUCCEEDED, ending.exit_code if ending else None, job.message)


def _ended(kubectl: Kubectl, run: Run, poller: Poller) -> Job:
    last = Job(State.MISSING)

    def look() -> Job:
        nonlocal last
        found = kubectl.find(run.kind.resource, run.name)
        last = run.kind.read_job(found)
        if found and last.state is State.QUEUED and (why := _given_up(kubectl, found)):
            raise EnvironmentFailure(f"{run.name} {State.DEACTIVATED.value}: {why}")
        poller.report(f"{run.name} {last.state.value}")
        return last

    job = poller.until(lambda job: job.state.final, look)
    if job is None:
        help_text = (
            "has it been deployed?"
            if last.state is State.MISSING
            else "it goes on: ask again, or wait longer"
        )
        raise EnvironmentFailure(f"{run.name} {last.state.value}, and the time is up; {help_text}")
    return job


def _given_up(kubectl: Kubectl, job: dict[str, Any]) -> str:
    """Why Kueue does not start a job any more; empty where that cannot be read."""
    uid = str(job.get("metadata", {}).get("uid", ""))
    try:
        return deactivated(kubectl.list(WORKLOADS, OF_JOB.format(uid=uid))).get(uid, "")
    except (Unanswered, EnvironmentFailure):
        return ""


def _ending(kubectl: Kubectl, run: Run) -> Ending | None:
    return run.kind.read_pods(kubectl.list("pods", run.kind.labels.format(name=run.name)), run.container)


def _heading(run: Run, job: Job, ending: Ending | None) -> str:
    """The header of a log, with the state of the run when the log was fetched; the log follows unchanged."""
    lines = [f"run: {run.name}", f"result: {'succeeded' if job.state is State.SUCCEEDED else 'failed'}"]
    if job.message:
        lines.append(f"message: {' '.join(job.message.split())}")
    if ending is None:
        lines.append(f"log: {run.kind.teller} is gone, and its log with it")
    else:
        code = "none, it did not end by itself" if ending.exit_code is None else str(ending.exit_code)
        lines.append(f"exit code: {code}{f' ({ending.reason})' if ending.reason else ''}")
        if ending.attempts > 1:
            lines.append(f"attempts: {ending.attempts}, of which this is the last one's log")
    lines.extend(f"{what}: {when}" for what, when in (("started", job.started), ("ended", job.ended)) if when)
    return "".join(f"# {line}\n" for line in lines) + "\n"
