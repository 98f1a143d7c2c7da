"""The folder in which Terraform runs a stack: one per state, outside of every repository, remade at each run.

What Terraform downloads stays in it, and a state that it could not save. Whoever works in it holds a lock,
and so does each Terraform that it has started: it is free when the last of them has ended.
"""

import fcntl
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.files import atomic
from clusterprint.lifecycle.stack import Stack

#: What Terraform writes when it cannot save a state.
ERRORED = "errored.tfstate"
_LOCK_FILE = ".terraform.lock.hcl"
# The providers in it, and the registries and the maker of all that stacks are built with.
_INSTALLED = re.compile(r'^provider "([^"]*)"', re.MULTILINE)
_OURS = re.compile(r"registry\.(?:terraform\.io|opentofu\.org)/hashicorp/[-a-z0-9]+")
_PROVIDERS = ".providers.json"
_HELD = ".held"
_LOOK_EVERY = 0.2  # seconds
_NOTE = 1000  # bytes of the note in the lock, with blanks
_KEPT = frozenset((".terraform", _LOCK_FILE, _PROVIDERS, _HELD, ERRORED))


class AtWork(EnvironmentFailure):
    """Another run is at work on a stack."""


class Workplace(NamedTuple):
    """A stack in its folder; `handle` keeps it from others for as long as anybody has it open."""

    stack: Stack
    folder: Path
    handle: int

    @property
    def plan(self) -> Path:
        """The plan as Terraform keeps it."""
        return self.folder / "clusterprint.tfplan"

    @property
    def errored(self) -> Path:
        """A state that could not be saved, if there is one."""
        return self.folder / ERRORED

    def other_providers(self) -> list[str]:
        """The providers that Terraform has installed here only for the state."""
        try:
            lock = (self.folder / _LOCK_FILE).read_text("utf-8")
        except FileNotFoundError:  # a simulated provider is none that is installed
            return []
        return sorted({each for each in _INSTALLED.findall(lock) if not _OURS.fullmatch(each)})

    def note_program(self, pid: int) -> None:
        """Say which Terraform is at work here, for a run that finds it still active when this one is gone."""
        _note(self.handle, {**_holder(self.handle), "program": pid})


@contextmanager
def workplace(
    stack: Stack, home: Path, *, keep_checksums: bool, waiting: Callable[[str], None]
) -> Iterator[Workplace]:
    """The work folder of a stack with what synth made of it, while it is used.

    Raises AtWork if another run is. One that was killed, but whose Terraform has not ended, is waited for.
    """
    folder = home / stack.mark
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder / _HELD, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EnvironmentFailure(f"cannot work in {folder}: {error.strerror}") from error
    try:
        _hold(handle, stack, waiting)
        _lay(stack, folder, keep_checksums=keep_checksums)
        yield Workplace(stack, folder, handle)
    finally:
        os.close(handle)


def _hold(handle: int, stack: Stack, waiting: Callable[[str], None]) -> None:
    said = False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(handle)
            if holder and _lives(holder.get("pid")):
                raise AtWork(
                    f"another run is active on stack {stack.name}: process {holder.get('pid')}, "
                    f"{holder.get('command')}, since {holder.get('since')}; wait for it, or stop it"
                ) from None
            if not said:
                waiting(
                    f"an earlier run was killed, and its Terraform is still active on {stack.name}: "
                    f"waiting{_how_to_stop(holder.get('program'))}"
                )
                said = True
            time.sleep(_LOOK_EVERY)
            continue
        since = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
        command = " ".join(["clusterprint", *sys.argv[1:2]])
        _note(handle, {"pid": os.getpid(), "since": since, "command": command})
        return


def _how_to_stop(program: object) -> str:
    """How to end a Terraform that does not end by itself, as one that cannot reach its state."""
    return (
        f" for process {program} (to stop it: kill -INT {program}, a second time if it goes on)"
        if _lives(program) and program
        else ""
    )


def _note(handle: int, holder: Mapping[str, object]) -> None:
    # In one write of one length: others read it meanwhile, and must not find half of it, or nothing.
    os.pwrite(handle, json.dumps(holder).encode().ljust(_NOTE), 0)


def _holder(handle: int) -> Mapping[str, object]:
    try:
        found = json.loads(os.pread(handle, 10_000, 0))
    except ValueError:  # it has just begun, and has not written it yet
        return {}
    return found if isinstance(found, dict) else {}


def _lives(pid: object) -> bool:
    if not isinstance(pid, int):
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _lay(stack: Stack, folder: Path, *, keep_checksums: bool) -> None:
    for old in folder.iterdir():
        if old.name in _KEPT:
            continue
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()
    for made in stack.folder.iterdir():
        if made.is_dir():
            shutil.copytree(made, folder / made.name)
        else:
            shutil.copy2(made, folder)
    document = json.loads((folder / "cdk.tf.json").read_text("utf-8"))
    wanted = json.dumps(document["terraform"].get("required_providers", {}), sort_keys=True)
    marker = folder / _PROVIDERS
    if not (keep_checksums and marker.exists() and marker.read_text("utf-8") == wanted):
        # Versions are pinned by the stack. A lock of others would only be in the way.
        (folder / _LOCK_FILE).unlink(missing_ok=True)
        atomic.write(wanted.encode(), marker)
