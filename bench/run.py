"""How fast clusterprint is: `make bench`. Prints medians and ratios, all from this run.

    python bench/run.py                 everything
    python bench/run.py one many        some of: one, many, growth, cold, synth, editor, provision, up, size

Nothing here fails because a number is large: machines differ, and are busy. A calm one tells most.
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import editor
import growth
import lifecycle
import slices
from measuring import ROOT, clusterprint, interleaved, peak, wall, work
from size import size

import blueprints
from clusterprint.bindings.node import bundled_node

SAMPLE = "blueprints/vm-sample.yaml"
SMALLEST = "blueprints/gke-smallest.yaml"
# Of a checkout, not of users: jsonschema looks for them, and they take ten times as long as all others.
FORMATS = (
    *("fqdn", "idna", "isoduration", "jsonpointer", "rfc3339_validator", "rfc3986_validator", "rfc3987"),
    *("rfc3987_syntax", "uri_template", "webcolors"),
)
_IMPORTS = f"""\
import sys
sys.modules.update(dict.fromkeys({FORMATS}))
import click, ruamel.yaml, jsonschema, msgspec
"""
LIBRARIES = [sys.executable, "-c", _IMPORTS]
VALIDATED = (100, 300, 1500)
SYNTHESIZED = (50, 100, 200)


def main(wanted: Sequence[str]) -> None:
    """Measure what is wanted, everything by default."""
    parts = {
        "one": validate_one,
        "many": validate_many,
        "growth": validate_growing,
        "cold": synth_cold,
        "synth": synth_many,
        "editor": type_in_editor,
        "provision": provision,
        "up": up_beside_terraform,
        "size": size,
    }
    unknown = [name for name in wanted if name not in parts]
    if unknown:
        sys.exit(f"there is no {' '.join(unknown)}; choose among: {' '.join(parts)}")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    for name, measure in parts.items():
        if name in (wanted or parts):
            measure()
            print(flush=True)


def validate_one(rounds: int = 15) -> None:
    """(a) One blueprint in a new process, against importing the libraries and nothing else."""
    title("validate one blueprint, whole process")
    commands = {"imports": LIBRARIES, **{each: clusterprint("validate", each) for each in (SMALLEST, SAMPLE)}}
    found = interleaved(commands, rounds)
    imports = median(found.pop("imports"))
    row("importing click, ruamel, jsonschema, msgspec", f"{imports * 1000:.0f} ms", f"median of {rounds}")
    for file, seconds in found.items():
        ours = median(seconds)
        row(file, f"{ours / imports:.2f}x", f"{ours * 1000:.0f} ms; target: at most 1.5x")


def provision() -> None:
    """(g) The slice provisioner, beside stand-ins of both APIs."""
    title("the slice provisioner")
    for name, count in slices.requests(200).items():
        row(f"requests for each JobSet, {name}", f"{count:.1f}", "200 JobSets, from waiting to gone")
    row("from pending to the request for a pool", f"{slices.latency(100):.0f} ms", "beside 100 others")
    row("memory with 5,000 pods", f"{slices.memory(5000):.0f} MB", "libraries alone are 60")


def type_in_editor() -> None:
    """(f) The language server, from a keystroke in a blueprint of 300 lines to its problems."""
    title("language server, from a keystroke to the problems")
    took = f"{editor.typed() * 1000:.0f} ms"
    row("a blueprint of 300 lines", took, "target: under 150 ms on an idle machine")


def validate_many(rounds: int = 3) -> None:
    """(b) Generated blueprints in one process, and in two."""
    title("validate many blueprints, whole process")
    with tempfile.TemporaryDirectory() as scratch:
        folders = generated(Path(scratch), VALIDATED)
        alone = {str(count): clusterprint("validate", folder) for count, folder in folders.items()}
        most = max(VALIDATED)
        used = {jobs: work(clusterprint("validate", "--jobs", jobs, folders[most])) for jobs in (1, 2)}
        found = interleaved(alone | {"jobs": clusterprint("validate", "--jobs", 2, folders[most])}, rounds)
    seconds = {name: median(values) for name, values in found.items()}
    for count in VALIDATED:
        took = seconds[str(count)]
        row(
            f"{count:,} blueprints",
            f"{took:.2f} s",
            f"{count / took:.0f} per second, {took / count * 1000:.1f} ms each",
        )
    fewer, more = VALIDATED[-2:]
    added = (seconds[str(more)] - seconds[str(fewer)]) / (more - fewer) * 1000
    first = (seconds[str(fewer)] - seconds[str(VALIDATED[0])]) / (fewer - VALIDATED[0]) * 1000
    row(
        "each further one",
        f"{added:.1f} ms",
        f"from {fewer:,} to {more:,}; {first:.1f} ms before; target: the same",
    )
    row("per second in one process", f"{most / seconds[str(most)]:.0f}", "target: at least 60")
    row(
        f"{most:,} blueprints with --jobs 2",
        f"{seconds['jobs']:.2f} s",
        f"{seconds[str(most)] / seconds['jobs']:.2f} times as fast; target: faster",
    )
    both = f"{used[2]:.2f} against {used[1]:.2f} processor seconds"
    row("work with --jobs 2", f"{used[2] / used[1]:.2f}x", f"{both}; target: at most 1.2x")


def validate_growing(rounds: int = 3) -> None:
    """(c) Five times as much of what is wrong in many places at once."""
    title("validate five times as much, whole process")
    with tempfile.TemporaryDirectory() as scratch:
        for name, fewer, more, first, second in growth.curves(Path(scratch), rounds):
            note = f"{first:.2f} s for {fewer:,}, {second:.2f} s for {more:,}; target: under 6x"
            row(name, f"{second / first:.2f}x", note)


def synth_cold(rounds: int = 5) -> None:
    """(d) A whole synth in a new process, against a plain CDKTF program with the same resource classes."""
    title("synthesize one blueprint, whole process, against plain CDKTF")
    with tempfile.TemporaryDirectory() as scratch:
        plain = [sys.executable, str(ROOT / "bench/plain_vm.py"), f"{scratch}/plain"]
        ours = clusterprint("synth", SAMPLE, "--out", f"{scratch}/ours")
        # The same Node for both, and for each a cache of its own, which is empty at first.
        options = {
            "plain": {"JSII_NODE": str(bundled_node()), "JSII_RUNTIME_PACKAGE_CACHE_ROOT": f"{scratch}/jsii"},
            "ours": {"CLUSTERPRINT_CACHE": f"{scratch}/cache"},
        }
        commands = {"plain": plain, "ours": ours}
        filling = {name: wall(command, **options[name]) for name, command in commands.items()}
        warm = {name: median(values) for name, values in interleaved(commands, rounds, options).items()}
        memory = {name: peak(command, **options[name]) for name, command in commands.items()}
    against("seconds, warm cache", warm, "s", "target: at most 0.07x")
    against("peak memory", memory, "MB", "target: at most 0.3x")
    against("seconds, empty cache", filling, "s", "target: at most 1x")


def against(what: str, found: dict[str, float], unit: str, note: str) -> None:
    """Ours against the plain program's, as a ratio."""
    both = f"{found['ours']:.2f} against {found['plain']:.2f} {unit}"
    row(what, f"{found['ours'] / found['plain']:.2f}x", f"{both}; {note}")


def synth_many() -> None:
    """(e) Generated blueprints synthesized in one process: time and memory."""
    title("synthesize many blueprints in one process")
    with tempfile.TemporaryDirectory() as scratch:
        folders = generated(Path(scratch), (1, *SYNTHESIZED))
        commands = {
            count: clusterprint("synth", folder, "--out", Path(scratch, f"out-{count}"))
            for count, folder in folders.items()
        }
        wall(commands[1])  # fills the caches
        first = median(wall(commands[1]) for _ in range(3))
        row("the first", f"{first * 1000:.0f} ms", "process and engine included")
        for count in SYNTHESIZED:
            took = wall(commands[count])
            each = (took - first) / (count - 1) * 1000
            target = "target: at most 35 ms" if count == max(SYNTHESIZED) else ""
            row(f"each of {count} after the first", f"{each:.1f} ms", target)
        memory = {count: peak(commands[count]) for count in SYNTHESIZED}
    for count, megabytes in memory.items():
        row(f"peak memory with {count}", f"{megabytes:.0f} MB", "Python and Node together")
    growth = memory[max(SYNTHESIZED)] / memory[min(SYNTHESIZED)]
    row("growth", f"{growth:.2f}x", f"from {min(SYNTHESIZED)} to {max(SYNTHESIZED)}; target: at most 1.2x")


def up_beside_terraform(rounds: int = 5) -> None:
    """(g) A whole `up` of one new stack in a simulated cloud, against the commands that it stands for."""
    title("up of one new stack, against synth and plain Terraform")
    found = list(lifecycle.rounds(rounds))
    plain, ours = (median(each) for each in zip(*found, strict=True))
    row("synth, terraform init, plan, apply", f"{plain:.2f} s", f"median of {rounds}")
    row("clusterprint up", f"{ours:.2f} s", "the same, its review and its outputs")
    row("ratio", f"{ours / plain:.2f}x")
    row(
        "more per stack", f"{median(b - a for a, b in found):.2f} s", "target: under 0.5 s on an idle machine"
    )


def generated(scratch: Path, counts: Sequence[int]) -> dict[int, Path]:
    """Folders with this many blueprints."""
    folders = {count: scratch / str(count) for count in counts}
    for count, folder in folders.items():
        blueprints.write(folder, count)
    return folders


def title(text: str) -> None:
    """The heading of a measurement."""
    print(text)


def row(what: str, value: str, note: str = "") -> None:
    """One line of a measurement."""
    print(f"  {what:42} {value:>9}   {note}".rstrip())


if __name__ == "__main__":
    main(sys.argv[1:])
