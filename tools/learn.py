#!/usr/bin/env python3
"""Compare what a real cloud answered, as evidence says it, with the answers of the simulated cloud.

    tools/learn.py EVIDENCE [--simulated EVIDENCE]

EVIDENCE is written by `clusterprint prove`. Left out, the simulated evidence is made here, which needs
Terraform; that of a blueprint of one's own must be given. Each line is something to change in simcloud/:
attributes that only one of both clouds gives a value, and those with other sorts of values. Exit code 1:
there is one. Signatures are not verified: `clusterprint evidence verify` does that.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from clusterprint.proof.envelope import ENDING, Invalid, read
from clusterprint.proof.types import Evidence
from clusterprint.words import counted


def main() -> int:
    """Read both, and print the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("evidence", type=Path, help="of a real cloud")
    parser.add_argument("--simulated", type=Path, help="of the same trial in the simulated cloud")
    asked = parser.parse_args()
    try:
        real = read(asked.evidence).statement.predicate
        simulated = read(asked.simulated).statement.predicate if asked.simulated else _simulated(real)
    except (Invalid, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")
    if (real.world, simulated.world) != ("real", "simulated"):
        sys.exit(
            f"error: this compares a real world with a simulated one, not {real.world} with {simulated.world}"
        )
    if real.trial != simulated.trial:
        sys.exit(f"error: one is of the trial {real.trial}, the other of {simulated.trial}")
    found = list(differences(real, simulated))
    print(*found, sep="\n", end="\n" if found else "")
    types = counted(len(real.answers), "type")
    print(f"{counted(len(found), 'difference')} in {types} of resources")
    return 1 if found else 0


def differences(real: Evidence, simulated: Evidence) -> Iterator[str]:
    """One line for each difference, sorted by type and attribute."""
    for kind in sorted({*real.answers, *simulated.answers}):
        there, here = real.answers.get(kind), simulated.answers.get(kind)
        if there is None or here is None:
            yield f"{kind}: only in the {'simulated' if there is None else 'real'} cloud"
            continue
        for path in sorted({*there, *here}):
            if there.get(path) != here.get(path):
                yield f"{kind}.{path}: {_told(there.get(path))}, simulated {_told(here.get(path))}"


def _told(sorts: tuple[str, ...] | None) -> str:
    return "nothing" if sorts is None else " or ".join(sorts)


def _simulated(real: Evidence) -> Evidence:
    if real.trial == "blueprint":
        sys.exit(
            "error: the trial is a user's own blueprint: give --simulated, which "
            "`clusterprint prove BLUEPRINT --simulate DIR` writes"
        )
    with tempfile.TemporaryDirectory() as folder:
        world = ("--simulate", f"{folder}/sim", "--out", f"{folder}/evidence")
        command = (sys.executable, "-m", "clusterprint", "prove", "--only", real.trial, "--yes", *world)
        subprocess.run(command, check=True, stdout=sys.stderr)
        (file,) = Path(folder, "evidence").glob(f"*{ENDING}")
        return read(file).statement.predicate


if __name__ == "__main__":
    sys.exit(main())
