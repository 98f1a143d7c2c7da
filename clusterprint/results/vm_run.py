"""The status of a run over nodes of `kind: vm`: nodes put it and the log into a bucket."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.results.collect import Collected
from clusterprint.results.gcloud import Gcloud
from clusterprint.results.poller import Poller


class VmRun(NamedTuple):
    """A run to wait for: its name, and the folder of its status and log in a bucket."""

    name: str
    bucket: str
    folder: str


# What a status says, completing "the run ...".
_STATES = {"": "has not started", "running": "runs", "succeeded": "has succeeded", "failed": "has failed"}
_ENDED = ("succeeded", "failed")


def collect_from_bucket(gcloud: Gcloud, run: VmRun, *, file: Path, poller: Poller) -> Collected:
    """Wait until a run has ended, and write its log into `file`, under a heading that says how.

    The file is written aside and moved: it is whole, or not there. Raises EnvironmentFailure if the run has
    not ended in time, or if the bucket cannot be read.
    """
    status = _ended(gcloud, run, poller)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as aside:
            whole, log = Path(aside) / "whole", Path(aside) / "log"
            there = poller.answer(lambda: gcloud.fetch(run.bucket, f"{run.folder}/log", log))
            with whole.open("wb") as stream:
                stream.write(_heading(run, status, there=there).encode("utf-8", "replace"))
                if there:
                    with log.open("rb") as part:
                        shutil.copyfileobj(part, stream)
            whole.replace(file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error
    code = status.get("exit_status", "")
    return Collected(
        status["state"] == "succeeded", int(code) if code.isdigit() else None, status.get("message", "")
    )


def _ended(gcloud: Gcloud, run: VmRun, poller: Poller) -> dict[str, str]:
    last: dict[str, str] = {}

    def look() -> dict[str, str]:
        nonlocal last
        last = _read(gcloud.read(run.bucket, f"{run.folder}/status") or "")
        poller.report(f"{run.name} {_STATES.get(last.get('state', ''), 'is in a state that is not known')}")
        return last

    status = poller.until(lambda status: status.get("state") in _ENDED, look)
    if status is None:
        begun = "it goes on: ask again, or wait longer"
        help_text = begun if last else "has it been deployed, and are all nodes ready?"
        raise EnvironmentFailure(
            f"{run.name} {_STATES.get(last.get('state', ''), 'goes on')}, and the time is up; {help_text}"
        )
    return status


def _read(text: str) -> dict[str, str]:
    """A status: lines of key=value."""
    pairs = (line.partition("=") for line in text.splitlines())
    return {key: value for key, separator, value in pairs if separator}


def _heading(run: VmRun, status: dict[str, str], *, there: bool) -> str:
    """The nodes' report of the run; the log follows unchanged."""
    lines = [f"run: {run.name}", f"result: {status['state']}"]
    for key, title in (
        ("message", "message"),
        ("exit_status", "exit code"),
        ("node", "started on"),
        ("started", "started"),
        ("ended", "ended"),
    ):
        if status.get(key):
            lines.append(f"{title}: {' '.join(status[key].split())}")
    if not there:
        lines.append("log: there is none, it did not get that far")
    return "".join(f"# {line}\n" for line in lines) + "\n"
