"""A whole synth in a new process: clusterprint against a plain CDKTF program with the same resource classes.

Usage: synth_cold.py [ROUNDS]. Prints medians and ratios, all from this run: wall time; the highest memory
of the process and its children together (proportional set size, so shared pages count once); and the first
run of all, which fills the caches.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent

# What is measured. The folder to write to is appended.
PLAIN = [sys.executable, str(HERE / "plain_vm.py")]
# The real thing: [sys.executable, "-m", "clusterprint", "synth", "blueprints/vm-smallest.yaml", "--out"]
OURS = [sys.executable, str(HERE / "prepared_vm.py")]
COMMANDS = {"plain": PLAIN, "ours": OURS}

WALL_TARGET, MEMORY_TARGET = 0.15, 0.3
SAMPLE_EVERY = 0.01


def main() -> None:
    """Measures, prints, and ends with 1 when a target is missed."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as scratch:
        environments = _environments(Path(scratch))
        first = {name: _wall(COMMANDS[name], environments[name]) for name in COMMANDS}
        walls: dict[str, list[float]] = {name: [] for name in COMMANDS}
        for _ in range(rounds):  # in turns: what else the machine does hits both alike
            for name, command in COMMANDS.items():
                walls[name].append(_wall(command, environments[name]))
        memory = {name: _peak(COMMANDS[name], environments[name]) for name in COMMANDS}
    wall = {name: statistics.median(values) for name, values in walls.items()}
    met = [
        _report("wall, warm cache", "s", wall, WALL_TARGET),
        _report("peak memory", "MB", memory, MEMORY_TARGET),
        _report("wall, empty cache", "s", first, 1.0),
    ]
    sys.exit(not all(met))


def _report(what: str, unit: str, measured: Mapping[str, float], target: float) -> bool:
    ratio = measured["ours"] / measured["plain"]
    print(
        f"{what:18} plain {measured['plain']:7.2f} {unit:2}   ours {measured['ours']:7.2f} {unit:2}"
        f"   ratio {ratio:.3f} (target {target})"
    )
    return ratio <= target


def _environments(scratch: Path) -> dict[str, dict[str, str]]:
    """The same Node for both, and for each caches of its own, which are empty."""
    from clusterprint.bindings.node import bundled_node

    inherited = {name: value for name, value in os.environ.items() if not name.startswith("JSII_")}
    common = {**inherited, "JSII_NODE": str(bundled_node()), "PYTHONPATH": str(HERE.parent)}
    return {
        "plain": {**common, "JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(scratch / "jsii")},
        "ours": {**common, "CLUSTERPRINT_CACHE": str(scratch / "ours")},
    }


def _start(command: list[str], environment: dict[str, str], out: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*command, out], env=environment, cwd=HERE.parent, stdout=subprocess.DEVNULL)


def _wall(command: list[str], environment: dict[str, str]) -> float:
    with tempfile.TemporaryDirectory() as out:
        begun = time.perf_counter()
        if _start(command, environment, out).wait() != 0:
            sys.exit(f"failed: {' '.join(command)}")
        return time.perf_counter() - begun


def _peak(command: list[str], environment: dict[str, str]) -> float:
    """The highest sum over the process tree, in MB. Not timed: looking takes time too."""
    peak = 0
    with tempfile.TemporaryDirectory() as out:
        process = _start(command, environment, out)
        while process.poll() is None:
            peak = max(peak, sum(map(_memory, _tree(process.pid))))
            time.sleep(SAMPLE_EVERY)
    return peak / 1000


def _tree(root: int) -> list[int]:
    """A process and all its descendants."""
    found = [root]
    for process in found:
        for thread in _lines_below(Path(f"/proc/{process}/task")):
            found += map(int, thread.split())
    return found


def _lines_below(tasks: Path) -> list[str]:
    try:
        return [(task / "children").read_text() for task in tasks.iterdir()]
    except OSError:
        return []


def _memory(process: int) -> int:
    """The proportional set size in kB; 0 when the process has ended."""
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    main()
