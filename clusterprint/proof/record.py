"""Records of proofs on this machine: what each has made, so that it can be destroyed after a crash, too.

The cluster of a trial is one of `lifecycle.ephemeral`, whose states are in a folder of the proof, beside a
record of its stacks: `clean_up` destroys by these what a killed proof has left, and nothing else.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle import local_state
from clusterprint.lifecycle.stack import LocalState, Stack
from clusterprint.lifecycle.world import home_of

#: The label of everything that a proof creates, where there are labels.
LABEL = "clusterprint-proof"
_RECORD = "record.json"


def home(simulate: Path | None) -> Path:
    """The folder with the records of proofs."""
    return home_of(simulate) / "proof"


@contextmanager
def recorded(stacks: Sequence[Stack], simulate: Path | None, cluster: str) -> Iterator[list[Stack]]:
    """The stacks with their states in a folder of this proof, and a record of both until all is gone."""
    folder = home(simulate) / cluster
    if (folder / _RECORD).exists():
        raise EnvironmentFailure(
            f"an earlier proof of {cluster} has left something, or is active: `clusterprint prove "
            f"--clean-up` destroys what it left (its record is {folder / _RECORD})"
        )
    kept = local_state.keep_here(stacks, folder)
    with local_state.held(kept):
        for each in kept:
            shutil.copytree(each.folder, folder / "stacks" / each.name, dirs_exist_ok=True)
        rows = [{"name": each.name, "state": each.state.address, "needs": each.needs} for each in kept]
        (folder / _RECORD).write_text(json.dumps({"version": 1, "cluster": cluster, "stacks": rows}), "utf-8")
        try:
            yield kept
        finally:
            if not any(local_state.contents_of(each) for each in kept):
                (folder / _RECORD).unlink(missing_ok=True)
    if not (folder / _RECORD).exists():
        shutil.rmtree(folder, ignore_errors=True)


def records(simulate: Path | None) -> list[Path]:
    """The folders of proofs that have left something, or are active."""
    folder = home(simulate)
    return sorted(each.parent for each in folder.glob(f"*/{_RECORD}"))


def stacks_of(folder: Path) -> list[Stack]:
    """The stacks in the record of a proof. Raises EnvironmentFailure for one that no proof has written."""
    file = folder / _RECORD
    try:
        document = json.loads(file.read_text("utf-8"))
        {1: None}[document["version"]]
        found = [
            Stack(
                str(each["name"]),
                folder / "stacks" / Path(each["name"]).name,
                LocalState(folder / Path(each["state"]).name),
                tuple(map(str, each["needs"])),
            )
            for each in document["stacks"]
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise EnvironmentFailure(f"{file} is no record of a proof: {type(error).__name__}") from None
    for each in found:
        _insist_on_ours(each)
    return found


def _insist_on_ours(stack: Stack) -> None:
    """Refuse a state with resources that do not have the label of proofs, where they have labels."""
    file = stack.state.file if isinstance(stack.state, LocalState) else Path()
    try:
        document = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError, RecursionError) as error:
        raise EnvironmentFailure(f"cannot read the state {file}: {error}") from None
    for resource in document.get("resources") or ():
        for instance in resource.get("instances") or () if resource.get("mode") == "managed" else ():
            for name in ("effective_labels", "resource_labels", "labels", "tags"):
                labels = (instance.get("attributes") or {}).get(name)
                if isinstance(labels, dict) and labels and LABEL not in labels:
                    raise EnvironmentFailure(
                        f"{resource['type']}.{resource['name']} in {file} has no label {LABEL}: no proof has "
                        "made it, so that it is not destroyed"
                    )
                if labels:
                    break


def forget(folder: Path) -> None:
    """Remove the record of a proof that has left nothing any more."""
    (folder / _RECORD).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
