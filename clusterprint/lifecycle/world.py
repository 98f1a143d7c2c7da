"""The clouds that Terraform uses: the real ones, or a simulated one that stays in a folder."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from clusterprint.errors import SIMULATION, EnvironmentFailure, from_checkout
from clusterprint.lifecycle.stack import Stack, state_home

# A stack has its own folder, its own state and no options but ours: these would change one of them for all.
_DROPPED = ("TF_WORKSPACE", "TF_DATA_DIR", "TF_CLI_ARGS")
_SAID = {"TF_IN_AUTOMATION": "1", "TF_INPUT": "0", "CHECKPOINT_DISABLE": "1"}


class World(NamedTuple):
    """Terraform's surroundings: the program, its environment, the folder for work, handles that it keeps.

    `own` is what stacks have of their own in their environment, by their folder.
    """

    program: str
    environment: Mapping[str, str]
    home: Path
    handles: tuple[int, ...] = ()
    simulated: bool = False
    own: Mapping[str, Mapping[str, str]] = MappingProxyType({})

    def environment_of(self, stack: Stack) -> Mapping[str, str]:
        """The environment for Terraform in one stack."""
        return {**self.environment, **self.own.get(str(stack.folder.resolve()), {})}

    def version(self) -> str:
        """The version of the program; empty where it does not tell."""
        try:
            done = subprocess.run(
                [self.program, "version", "-json"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=dict(self.environment),
                timeout=60,
                check=False,
            )
            return str(json.loads(done.stdout)["terraform_version"])
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
            return ""

    @property
    def engine(self) -> str:
        """The usual name of the program."""
        return "OpenTofu" if Path(self.program).name.startswith("tofu") else "Terraform"


# What the simulated cloud says while it starts, in its folder.
_LOG = "serving.log"
# With less free space, its last words are lost with all the rest.
_NEEDED = 64 * 1024


def home_of(simulate: Path | None) -> Path:
    """The folder for what outlasts a command: of the real world, or of the simulated one in a folder."""
    return state_home() / "clusterprint" if simulate is None else simulate.resolve()


@contextmanager
def world(simulate: Path | None, stacks: Sequence[Stack]) -> Iterator[World]:
    """The world for some stacks; with `simulate`, the simulated one in that folder.

    Raises EnvironmentFailure if there is no Terraform, or the simulation cannot start.
    """
    program = shutil.which("terraform") or shutil.which("tofu")
    if program is None:
        raise EnvironmentFailure(
            "neither terraform nor tofu is on the PATH: install Terraform "
            "(https://developer.hashicorp.com/terraform/install) or OpenTofu (https://opentofu.org/docs/intro/install)"
        )
    environment = {name: text for name, text in os.environ.items() if not name.startswith(_DROPPED)} | _SAID
    if simulate is None:
        yield World(program, environment, home_of(None) / "stacks")
        return
    with _simulated(simulate, stacks) as (answer, handle):
        changes: Mapping[str, str | None] = answer["environment"]
        environment |= {name: text for name, text in changes.items() if text is not None}
        environment = {name: text for name, text in environment.items() if changes.get(name, "") is not None}
        yield World(
            program,
            environment,
            home_of(simulate) / "stacks",
            (handle,),
            simulated=True,
            own=answer["stacks"],
        )


@contextmanager
def _simulated(folder: Path, stacks: Sequence[Stack]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """The environment that leads into a simulated world, and the handle that keeps it up."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentFailure(f"cannot simulate a cloud in {folder}: {error.strerror}") from error
    words = [
        *(sys.executable, "-m", "clusterprint_simcloud.standing", str(folder.resolve())),
        *(str(each.folder.resolve()) for each in stacks),
    ]
    read, write = os.pipe()
    try:
        # Inherits none of our streams: it may outlive us, and readers of our output would wait for it.
        with (folder / _LOG).open("wb") as log:
            serving = subprocess.Popen(
                words, stdin=read, stdout=subprocess.PIPE, stderr=log, start_new_session=True
            )
    finally:
        os.close(read)
    try:
        said = serving.stdout.readline() if serving.stdout else b""
        yield _answer(said, folder), write
    finally:
        os.close(write)
        # Where a Terraform of ours is still at work (somebody has killed it hard), it ends after that.
        with suppress(subprocess.TimeoutExpired):
            serving.wait(timeout=5)
        if serving.stdout:
            serving.stdout.close()


def _answer(said: bytes, folder: Path) -> Mapping[str, Any]:
    try:
        answer = json.loads(said)
    except ValueError:
        raise EnvironmentFailure(f"the simulated cloud did not start{_why(folder)}") from None
    if "error" in answer:
        raise EnvironmentFailure(f"the simulated cloud did not start: {answer['error']}")
    found: Mapping[str, Any] = answer
    return found


def _why(folder: Path) -> str:
    """Why the simulated cloud has ended without an answer, as far as anybody knows."""
    try:
        words = (folder / _LOG).read_text("utf-8", "replace").split("\n")
        full = shutil.disk_usage(folder).free < _NEEDED
    except OSError as error:
        return f": {folder}: {error.strerror}"
    last = next((each for each in reversed(words) if each.strip()), "")
    if find_spec("clusterprint_simcloud") is None or last.startswith(("ModuleNotFoundError", "ImportError")):
        return f"; it needs more packages; {from_checkout(*SIMULATION)}"
    if full:
        return f": the disk with {folder} is full; free some space, and run the same command again"
    return f"{f': {last}' if last else ''}; what it said is in {folder / _LOG}"
