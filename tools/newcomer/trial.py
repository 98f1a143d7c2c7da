"""Twelve typical mistakes and the tasks of five newcomers, counted; prints two tables.

    python tools/newcomer/trial.py            the mistakes: seconds
    python tools/newcomer/trial.py --tasks    also the tasks, in a simulated cloud: minutes

A mistake scores 2 if the first lines of its answer name the place and the fix, 1 if they name one of them,
else 0. A dead end is a command of a task that does not end as a newcomer expects.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from clusterprint import api  # noqa: E402 - the checkout first, then the import

GOOD = """\
clusterprint: v1
kind: vm
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state-bucket}}
nodes:
  machine_type: g2-standard-8
  count: 2
"""
_FIRST_LINES = 8


class Mistake(NamedTuple):
    """Text of the good blueprint, what a newcomer types instead, the line of the place, words of the fix."""

    name: str
    now: str
    typed: str
    line: int
    fix: str


MISTAKES = (
    Mistake("a tab", "  count: 2", "\tcount: 2", 10, "spaces"),
    Mistake("a key twice", "  count: 2", "  count: 2\n  count: 3", 11, "remove"),
    Mistake("a misspelt key", "  count: 2", "  cuont: 2", 10, "'count'"),
    Mistake("camelCase", "machine_type", "machineType", 9, "'machine_type'"),
    Mistake("a number as text", "count: 2", 'count: "2"', 10, "quotes"),
    Mistake("a kind that is none", "kind: vm", "kind: kubernetes", 2, "'gke'"),
    Mistake("a misspelt zone", "us-central1-a", "us-centrl1-a", 6, "did you mean us-central1-a?"),
    Mistake("a machine type that is none", "g2-standard-8", "g2-standrd-8", 9, "did you mean g2-standard-8?"),
    Mistake(
        "a zone outside of the region", "zone: us-central1-a", "zone: us-east4-a", 6, "write region: us-east4"
    ),
    Mistake("a bucket with gs://", "my-state-bucket", "gs://my-state-bucket", 7, "my-state-bucket"),
    Mistake("a key in the wrong part", "backend:", "machine_type: g2-standard-8\nbackend:", 7, "nodes"),
    Mistake("a name in capitals", "name: first", "name: First", 3, "lower"),
)


class Task(NamedTuple):
    """A newcomer's commands; FILE is the blueprint of the name, SIM a folder for the simulated cloud."""

    name: str
    blueprint: str
    commands: tuple[str, ...]


_LIFE = ("validate FILE", "up --yes --simulate SIM FILE", "status --simulate SIM FILE")
_END = ("outputs --simulate SIM FILE", "down --yes --include-data --simulate SIM FILE")
TASKS = (
    Task("train on GKE", "gke-mpi-hpl", (*_LIFE, "jobs list --simulate SIM FILE", *_END)),
    Task("one machine for a project", "vm-smallest", (*_LIFE, "ssh --simulate SIM FILE", *_END)),
    Task("Ray for a team", "ray-l4-dev", (*_LIFE, "dashboard --simulate SIM FILE", *_END)),
    Task("Azure machines", "vmss-nc-dev", (*_LIFE, *_END)),
    Task("look before you buy", "gke-smallest", ("choose --gpus 8 --gpu l4", "show FILE", "quota FILE")),
)


def answer(mistake: Mistake, folder: Path) -> tuple[int, str]:
    """The score of an answer, and its first lines."""
    file = folder / "first.yaml"
    if GOOD.count(mistake.now) < 1:
        raise ValueError(f"{mistake.name}: the blueprint has no {mistake.now!r}")
    file.write_text(GOOD.replace(mistake.now, mistake.typed, 1), "utf-8")
    found = api.validate(file)
    if found.ok and not found.diagnostics:
        return 0, ""
    first = "\n".join(found.text.splitlines()[:_FIRST_LINES])
    return (f"first.yaml:{mistake.line}:" in first) + (mistake.fix in first), first


def tried(task: Task, folder: Path) -> list[str]:
    """The dead ends of a task: commands that fail."""
    file, ends = ROOT / "blueprints" / f"{task.blueprint}.yaml", []
    for line in task.commands:
        words = [{"FILE": str(file), "SIM": "sim"}.get(each, each) for each in line.split()]
        done = subprocess.run(
            [sys.executable, "-m", "clusterprint", *words],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            ends.append(f"{line}: {done.returncode}")
    return ends


def main() -> None:
    """Run the command."""
    print("| mistake | score |\n|---|---|")
    with tempfile.TemporaryDirectory() as made:
        scores = [answer(each, Path(made))[0] for each in MISTAKES]
    for each, score in zip(MISTAKES, scores, strict=True):
        print(f"| {each.name} | {score} |")
    print(f"\nmean {sum(scores) / len(scores):.2f} of 2")
    if sys.argv[1:] == ["--tasks"]:
        print("\n| task | commands | dead ends |\n|---|---|---|")
        for task in TASKS:
            with tempfile.TemporaryDirectory() as made:
                ends = tried(task, Path(made))
            print(f"| {task.name} | {len(task.commands)} | {'; '.join(ends) or 'none'} |", flush=True)


if __name__ == "__main__":
    main()
