"""Subjects of evidence: checksums of a blueprint, and of its stacks as this version synthesizes them."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from clusterprint.errors import ClusterprintError
from clusterprint.examine import Examined, examine
from clusterprint.files.inside import leads_out
from clusterprint.lifecycle.stack import Stack, checksum, synthesized
from clusterprint.proof.trials import TRIALS, written
from clusterprint.proof.types import Evidence

BLUEPRINT, STACK = "blueprint:", "stack:"
#: In place of the path of a blueprint, in evidence for a public place.
PUBLIC = "public"


def role(stack: str, cluster: str) -> str:
    """The part of a stack in its cluster, without the cluster's name: `cluster`, `workloads`, `main`."""
    return stack.removeprefix(cluster).lstrip("-") or "main"


def sums(stacks: list[Stack], cluster: str) -> dict[str, str]:
    """The checksum of each stack, by its part in the cluster."""
    return {role(each.name, cluster): checksum(each.folder) for each in stacks}


def subjects(examined: Examined, called: str) -> dict[str, str]:
    """The checksums of a sound blueprint and of its stacks, by the names of subjects."""
    validated = examined.results[0]
    texts = "\0".join(examined.sources[each] for each in sorted(examined.sources))
    found = {f"{BLUEPRINT}{called}": hashlib.sha256(texts.encode()).hexdigest()}
    with synthesized(examined) as stacks:
        found |= {
            f"{STACK}{name}": each for name, each in sums(stacks, _name(validated.document.data)).items()
        }
    return found


def _name(data: Mapping[str, object]) -> str:
    return str(data["name"])


def of_checkout(evidence: Evidence, named: str, root: Path) -> dict[str, str] | str:
    """The same of a checkout: of a trial, or of the blueprint of that name; or why there are none."""
    if evidence.trial != "blueprint":
        trial = TRIALS.get(evidence.trial)
        if trial is None:
            return f"this version of clusterprint has no trial {evidence.trial!r}"
        with written(trial) as file:
            return subjects(examine([file]), named)
    return of_file(root / named, named, root)


def of_file(file: Path, named: str, root: Path) -> dict[str, str] | str:
    """The same of a blueprint below a folder."""
    if Path(named).is_absolute() or leads_out(file, root) or not file.is_file():
        return f"its blueprint {named!r} is not in this folder (--no-checkout leaves this check out)"
    try:
        examined = examine([file])
        if not examined.errors:
            return subjects(examined, named)
    except ClusterprintError as error:
        return f"its blueprint {named!r} cannot be synthesized: {error}"
    return f"its blueprint {named!r} has errors in this folder"
