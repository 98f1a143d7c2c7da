"""How long commands take and how much memory they need, measured from outside."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parent.parent
SAMPLE_EVERY = 0.02

Command = Sequence[str]
Environment = Mapping[str, str]


def clusterprint(*arguments: object) -> list[str]:
    """A call of the command, as a process of its own."""
    return [sys.executable, "-m", "clusterprint", *map(str, arguments)]


def environment() -> dict[str, str]:
    """The environment of what is measured: that of a user, who has compiled modules on disk."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "PYTHONPATH": str(ROOT)}


def interleaved(
    commands: Mapping[str, Command], rounds: int, options: Mapping[str, Environment] = MappingProxyType({})
) -> dict[str, list[float]]:
    """Seconds of each command, in turns, so that what else the machine does hits all alike.

    A first turn is not counted: it warms the caches of files.
    """
    found: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            seconds = wall(command, **options.get(name, {}))
            if turn:
                found[name].append(seconds)
    return found


def wall(command: Command, ends: int = 0, /, **variables: str) -> float:
    """Seconds from start to the end with this exit code; `variables` are added to the environment."""
    begun = time.perf_counter()
    _finish(_start(command, variables), command, ends)
    return time.perf_counter() - begun


def work(command: Command) -> float:
    """Processor seconds of the process and its children: less depends on what else the machine does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def peak(command: Command, **variables: str) -> float:
    """The highest memory of the process and all its children together, in MB.

    It is the proportional set size: what processes share counts once. Not timed: looking takes time too.
    """
    process = _start(command, variables)
    highest = 0
    while process.poll() is None:
        highest = max(highest, sum(map(_memory, _tree(process.pid))))
        time.sleep(SAMPLE_EVERY)
    _finish(process, command)
    return highest / 1000


def _start(command: Command, variables: Environment) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        env={**environment(), **variables},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _finish(process: subprocess.Popen[bytes], command: Command, ends: int = 0) -> None:
    _, errors = process.communicate()
    if process.returncode != ends:
        sys.exit(f"failed: {' '.join(command)}\n{errors.decode()}")


def _tree(root: int) -> list[int]:
    """A process and all its descendants."""
    found = [root]
    for process in found:
        for children in _children(process):
            found += map(int, children.split())
    return found


def _children(process: int) -> list[str]:
    try:
        return [(task / "children").read_text() for task in Path(f"/proc/{process}/task").iterdir()]
    except OSError:
        return []  # it has ended


def _memory(process: int) -> int:
    """The proportional set size in kB; 0 when the process has ended."""
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
