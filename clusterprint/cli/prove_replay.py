"""`clusterprint prove --replay BUNDLE`: its blueprint, in a simulated cloud that fails the same way."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import say
from clusterprint.cli.prove_jobs import Job, job_of
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.exit_codes import Code
from clusterprint.render.visible import visible

if TYPE_CHECKING:
    from clusterprint.proof.bundle import Fault
    from clusterprint.proof.trial import Proved

# Terraform tries again what may be temporary; the fault does not go away.
_TIMES = 1000


def replay(bundle: Path, simulate: Path | None, run: Callable[[Job], "Proved"]) -> Code:
    """Run it, and say which faults appeared: done if all did, else failed."""
    from clusterprint.proof.bundle import read_bundle

    if simulate is None:
        raise UsageError("--replay needs --simulate DIR: a bundle is never run in the real clouds")
    found = read_bundle(bundle)
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as made:
        file = Path(made) / "replayed.yaml"
        file.write_text(found.blueprint, "utf-8")
        job = job_of(
            cluster_arguments.sound([file], "not replayed: what the blueprint names is not in the bundle"),
            "replayed",
        )
        _install(found.faults, simulate)
        try:
            proved = run(job)
        finally:
            _install((), simulate)
    said = "\n".join(text for each in proved.evidence.steps for text in each.errors)
    missing = [each for each in found.faults if not _appears(each, said)]
    for each in found.faults:
        state = "did not appear" if each in missing else "appeared"
        say(
            visible(
                f"{each.operation} {each.type}: {state}: {each.error.splitlines()[0] if each.error else ''}"
            )
        )
    if not found.faults:
        say(f"the bundle has no error of a resource; the trial of its blueprint {proved.evidence.result}")
    return Code.FAILED if missing else Code.DONE


def _appears(fault: "Fault", said: str) -> bool:
    first = next((line for line in fault.error.splitlines() if line.strip()), "")
    return first in said


def _install(faults: "tuple[Fault, ...]", simulate: Path) -> None:
    """Tell the simulated cloud how to fail, in the file that it reads."""
    rows = [
        {"operation": each.operation, "type": each.type, "times": _TIMES, "error": each.error}
        for each in faults
    ]
    try:
        (simulate / "cloud").mkdir(parents=True, exist_ok=True)
        (simulate / "cloud/faults.json").write_text(json.dumps(rows), "utf-8")
    except OSError as error:
        raise EnvironmentFailure(f"cannot simulate a cloud in {simulate}: {error.strerror}") from error
