"""Wait for the end of a run, and keep what it has printed."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.results.job import Job, Launcher, State, read_job, read_launcher
from clusterprint.results.kubectl import Kubectl
from clusterprint.results.poller import Poller


class Run(NamedTuple):
    """A run to wait for: the name of its MPIJob, and of the launcher's container."""

    name: str
    container: str


class Collected(NamedTuple):
    """How a run has ended; `exit_code` is None if the launcher did not end by itself, or is gone."""

    succeeded: bool
    exit_code: int | None
    message: str


def collect(kubectl: Kubectl, run: Run, *, file: Path, poller: Poller) -> Collected:
    """Wait until a run has ended, and write its log into `file`, under a heading that says how.

    The file is written aside and moved: it is whole, or not there. Raises EnvironmentFailure if the run has
    not ended in time, or if the cluster cannot be asked.
    """
    job = _ended(kubectl, run, poller)
    launcher = poller.answer(lambda: _launcher(kubectl, run))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as aside:
            whole = Path(aside) / "whole"
            with whole.open("wb") as stream:
                stream.write(_heading(run, job, launcher).encode("utf-8", "replace"))
                if launcher:
                    log, pod = Path(aside) / "log", launcher.pod
                    poller.answer(lambda: kubectl.logs(pod, run.container, log))
                    with log.open("rb") as part:
                        shutil.copyfileobj(part, stream)
            whole.replace(file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error
    return Collected(job.state is State.SUCCEEDED, launcher.exit_code if launcher else None, job.message)


def _ended(kubectl: Kubectl, run: Run, poller: Poller) -> Job:
    last = Job(State.MISSING)

    def look() -> Job:
        nonlocal last
        last = read_job(kubectl.find("mpijobs.kubeflow.org", run.name))
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


def _launcher(kubectl: Kubectl, run: Run) -> Launcher | None:
    labels = f"training.kubeflow.org/job-name={run.name},training.kubeflow.org/job-role=launcher"
    return read_launcher(kubectl.list("pods", labels), run.container)


def _heading(run: Run, job: Job, launcher: Launcher | None) -> str:
    """What was known of the run when its log was fetched; the log follows as it is."""
    lines = [f"run: {run.name}", f"result: {'succeeded' if job.state is State.SUCCEEDED else 'failed'}"]
    if job.message:
        lines.append(f"message: {' '.join(job.message.split())}")
    if launcher is None:
        lines.append("log: the launcher's pod is gone, and its log with it")
    else:
        code = "none, it did not end by itself" if launcher.exit_code is None else str(launcher.exit_code)
        lines.append(f"exit code: {code}{f' ({launcher.reason})' if launcher.reason else ''}")
        if launcher.attempts > 1:
            lines.append(f"attempts: {launcher.attempts}, of which this is the last one's log")
    lines.extend(f"{what}: {when}" for what, when in (("started", job.started), ("ended", job.ended)) if when)
    return "".join(f"# {line}\n" for line in lines) + "\n"
