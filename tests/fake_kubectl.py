"""A kubectl that plays what a test wrote down, and notes how it was called."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROGRAM = """\
#!{python}
import json, sys, time
from pathlib import Path
folder = Path({folder!r})
with (folder / "calls").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
jobs = ("mpijobs.kubeflow.org", "jobsets.jobset.x-k8s.io", "trainjobs.trainer.kubeflow.org")
known = (*jobs, "workloads.kueue.x-k8s.io", "pods", "logs")
about = next(word for word in known if word in sys.argv)
answers = json.loads((folder / "answers.json").read_text())[about]
counter = folder / about
at = int(counter.read_text()) if counter.exists() else 0
# Whole or not at all: it may be killed at any time, and asked again.
counter.with_suffix(".new").write_text(str(at + 1))
counter.with_suffix(".new").replace(counter)
answer = answers[min(at, len(answers) - 1)]
sys.stdout.write(answer.get("out", ""))
sys.stdout.flush()
time.sleep(answer.get("sleep", 0))
sys.stderr.write(answer.get("err", ""))
sys.exit(answer.get("code", 0))
"""

Answer = dict[str, Any]


class FakeKubectl:
    """A folder with a kubectl in it; each question gets its answers in turn, the last one forever."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        program = folder / "kubectl"
        program.write_text(PROGRAM.format(python=sys.executable, folder=str(folder)))
        program.chmod(0o755)

    def play(
        self,
        *,
        jobs: list[Answer],
        pods: Sequence[Answer] = (),
        logs: Sequence[Answer] = (),
        workloads: Sequence[Answer] = (),
    ) -> None:
        """The answers from now on, to questions for the job, for its launchers, for the log."""
        answers = {
            "mpijobs.kubeflow.org": jobs,
            "jobsets.jobset.x-k8s.io": jobs,
            "trainjobs.trainer.kubeflow.org": jobs,
            "workloads.kueue.x-k8s.io": [{"out": json.dumps({"items": list(workloads)})}],
            "pods": pods or [listed()],
            "logs": logs or [{"out": "log\n"}],
        }
        (self.folder / "answers.json").write_text(json.dumps(answers))
        for about in answers:
            (self.folder / about).unlink(missing_ok=True)

    @property
    def calls(self) -> list[list[str]]:
        """The arguments of each call."""
        return [json.loads(line) for line in (self.folder / "calls").read_text().splitlines()]

    @property
    def path(self) -> str:
        """A PATH that finds this kubectl first."""
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"


NOTHING: Answer = {}
NO_SUCH_KIND: Answer = {"code": 1, "err": 'error: the server doesn\'t have a resource type "mpijobs"\n'}
UNREACHABLE: Answer = {
    "code": 1,
    "err": "Unable to connect to the server: dial tcp 10.0.0.2:443: i/o timeout\n",
}
NO_CONTEXT: Answer = {"code": 1, "err": 'error: context "gke_p_us-east4_c" does not exist\n'}


def job(*conditions: str, message: str = "") -> Answer:
    """An MPIJob of which these conditions are true."""
    listed = [{"type": each, "status": "True", "message": message} for each in conditions]
    listed.append({"type": "Restarting", "status": "False"})
    return {
        "out": json.dumps(
            {
                "kind": "MPIJob",
                "metadata": {"uid": "7"},
                "status": {"conditions": listed, "startTime": "2026-11-21T10:00:00Z"},
            }
        )
    }


def pod(name: str, created: str, exit_code: int | None) -> dict[str, Any]:
    """A launcher, ended with this exit code."""
    state = (
        {"running": {}} if exit_code is None else {"terminated": {"exitCode": exit_code, "reason": "Error"}}
    )
    statuses = [{"name": "sidecar", "state": {"running": {}}}, {"name": "mpi", "state": state}]
    return {
        "metadata": {"name": name, "creationTimestamp": created},
        "status": {"containerStatuses": statuses},
    }


def listed(*pods: dict[str, Any]) -> Answer:
    """A list of pods."""
    return {
        "out": json.dumps(
            {"kind": "List", "items": pods or [pod("run-launcher-x", "2026-11-21T10:00:01Z", 0)]}
        )
    }


NO_PODS: Answer = {"out": json.dumps({"kind": "List", "items": []})}
