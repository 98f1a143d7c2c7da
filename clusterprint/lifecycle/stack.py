"""Stacks of blueprints as Terraform sees them: a folder, a place for the state, and what must stand first."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clusterprint.derived import state_names
from clusterprint.errors import EnvironmentFailure
from clusterprint.examine import Examined
from clusterprint.synth import plan_all, synthesize


class State(NamedTuple):
    """Where the state of a stack is: a bucket, and the folder of this very stack in it."""

    bucket: str
    prefix: str

    @property
    def name(self) -> str:
        """The name of the stack."""
        return self.prefix.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """The folder that has the states of all stacks of a cluster."""
        return self.prefix.rpartition("/")[0]

    @property
    def address(self) -> str:
        """In the words of Cloud Storage."""
        return state_names.state_address(self.bucket, self.prefix)


class LocalState(NamedTuple):
    """A state in a file of this machine."""

    file: Path

    @property
    def address(self) -> str:
        """Path of the local state file."""
        return str(self.file)


class Stack(NamedTuple):
    """One stack: `folder` has its Terraform JSON, `needs` are the stacks that must stand before it."""

    name: str
    folder: Path
    state: State | LocalState
    needs: tuple[str, ...] = ()

    @property
    def bucket(self) -> State:
        """The remote state. Raises TypeError for a local one."""
        if not isinstance(self.state, State):
            raise TypeError(f"the state of {self.name} is on this machine")
        return self.state

    @property
    def mark(self) -> str:
        """Its name with a checksum of the state's address, as stacks of one name may have several states."""
        return f"{self.name}-{hashlib.sha256(self.state.address.encode()).hexdigest()[:12]}"


def checksum(folder: Path) -> str:
    """Of all files below the folder of a stack: their names, contents, and which are programs."""
    told = []
    for each in sorted(folder.rglob("*")):
        if each.is_file():
            with each.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            name = each.relative_to(folder).as_posix()
            told.append([name, bool(each.stat().st_mode & 0o100), content])
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


@contextmanager
def synthesized(examined: Examined) -> Iterator[list[Stack]]:
    """The stacks of sound blueprints, in a folder that lasts as long as the caller needs it."""
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        out = Path(folder) / "cdktf.out"
        synthesize(plan_all(examined.results), out)
        yield read_stacks(out)


def read_stacks(out: Path) -> list[Stack]:
    """The stacks of an output of synth."""
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))["stacks"]
    return [
        Stack(
            name=name,
            folder=out / each["workingDirectory"],
            state=read_state_place(out / each["workingDirectory"]),
            needs=tuple(each["dependencies"]),
        )
        for name, each in manifest.items()
    ]


def read_state_place(folder: Path) -> State:
    """Where the stack in a folder keeps its state."""
    backend = json.loads((folder / "cdk.tf.json").read_text("utf-8"))["terraform"]["backend"]["gcs"]
    return State(backend["bucket"], backend["prefix"].strip("/"))


def waves(stacks: Sequence[Stack]) -> list[list[Stack]]:
    """The stacks in groups: those of a group need only stacks of the groups before it."""
    left = list(stacks)
    standing: set[str] = set()
    found: list[list[Stack]] = []
    names = {each.name for each in stacks}
    while left:
        ready = [each for each in left if set(each.needs) & names <= standing]
        if not ready:  # synth makes no circles
            raise ValueError(f"stacks wait for each other: {', '.join(each.name for each in left)}")
        found.append(ready)
        standing |= {each.name for each in ready}
        left = [each for each in left if each not in ready]
    return found


def needing(stacks: Iterable[Stack], lost: Iterable[str]) -> set[str]:
    """The names of the stacks that need one of `lost`, directly or not."""
    gone = set(lost)
    rest = list(stacks)
    while more := {each.name for each in rest if gone & set(each.needs)} - gone:
        gone |= more
    return gone - set(lost)


def state_home() -> Path:
    """Where programs of this user keep what must outlast a restart, but is in no repository.

    Raises EnvironmentFailure for a user without a home.
    """
    base = os.environ.get("XDG_STATE_HOME")
    if base and Path(base).is_absolute():
        return Path(base)
    try:
        return Path.home() / ".local" / "state"
    except RuntimeError:
        raise EnvironmentFailure(
            "this user has no home to keep Terraform's work in: set HOME, or XDG_STATE_HOME to a folder"
        ) from None
