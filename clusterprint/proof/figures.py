"""Runs of a trial: waited for, and the figures that benchmarks print in their logs."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.access.command import SimulatedClock
from clusterprint.access.runs import runs_of
from clusterprint.plan.part import StackPlan
from clusterprint.results import Poller
from clusterprint.status.programs import Programs

# As NCCL's tests and HPC Challenge print them; of several lines of a name, the last one counts.
_FIGURES = {
    "average bus bandwidth in GB/s": re.compile(
        r"^# Avg bus bandwidth\s*:\s*(\d+(?:\.\d+)?)\s*$", re.MULTILINE
    ),
    "HPL in Tflop/s": re.compile(r"^HPL_Tflops=(\d+(?:\.\d+)?)\s*$", re.MULTILINE),
}
_MOST_BYTES = 1 << 20


class Ran(NamedTuple):
    """Runs that have ended: their number, those that failed, and figures by their names."""

    runs: int
    failed: tuple[str, ...]
    figures: Mapping[str, float]


def ran(plans: Sequence[StackPlan], programs: Programs, folder: Path, *, seconds: float) -> Ran:
    """Wait for all runs of a cluster, each for so many seconds at most; logs are kept in a folder.

    Raises EnvironmentFailure if a run does not end in time, or cannot be asked for.
    """
    failed: list[str] = []
    found: dict[str, float] = {}
    jobs = runs_of(plans, programs.environment)
    for name, run in jobs.items():
        clock = SimulatedClock(programs.environment) if programs.simulated else None
        file = folder / f"{run.run}.txt"
        ended = run.collect(file, Poller(limit=seconds, log=lambda _: None, clock=clock))
        if not ended.succeeded:
            failed.append(f"the run {run.run} failed{f': {ended.message}' if ended.message else ''}")
        found |= {f"{name}: {what}": value for what, value in figures(_end_of(file)).items()}
    return Ran(len(jobs), tuple(failed), found)


def figures(log: str) -> dict[str, float]:
    """The figures of benchmarks in a log."""
    found = {name: form.findall(log) for name, form in _FIGURES.items()}
    return {name: float(values[-1]) for name, values in found.items() if values}


def _end_of(file: Path) -> str:
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - _MOST_BYTES))
        return stream.read().decode("utf-8", "replace")
