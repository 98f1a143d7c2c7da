"""Shared by the commands that access a cluster: arguments, and running or printing a command."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import say
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import Examined, examine

if TYPE_CHECKING:
    from clusterprint.access.command import Command
    from clusterprint.plan.part import StackPlan

_PRINT = click.option("--print", "prints", is_flag=True, help="Print the command, and do not run it.")

# Seconds in which a port-forward has to be open.
_OPENS_IN = 30


class Reached:
    """A named cluster: its checked blueprint, the plans of its stacks, and the named part."""

    def __init__(self, target: str, among: Sequence[Path]) -> None:
        from clusterprint.access.target import find_target

        self.file, self.part = find_target(target, among)
        self.examined = cluster_arguments.insist_on_sound(examine([self.file]), warn=False)
        self.plans = _plans(self.examined)


def target(command: cluster_arguments.Command) -> cluster_arguments.Command:
    """Add the argument CLUSTER[/PART], --in and --print to a command, which gets a `reached`."""

    @wraps(command)
    def found(*, target: str, among: tuple[Path, ...], **options: object) -> None:
        command(reached=Reached(target, among), **options)

    return cluster_arguments.TARGET(cluster_arguments.AMONG(_PRINT(found)))


def _plans(examined: Examined) -> "tuple[StackPlan, ...]":
    from clusterprint.resolve import resolve

    (validated,) = examined.results
    assert validated.blueprint is not None  # noqa: S101 - it is sound
    return resolve(validated.blueprint, validated.document.folder)


def go(command: "Command", *, prints: bool, simulate: Path | None = None) -> None:
    """Print a command, or print and run it and exit with its code.

    Raises UsageError in a simulated cloud: the command would reach the cluster of this name in the real one.
    """
    if prints:
        say(command.text)
        return
    if simulate is not None:
        raise UsageError(
            "nodes and jobs are not simulated, and nothing was run. For a cluster in the real cloud, this "
            f"would run: {command.text}"
        )
    say(f"$ {command.text}", err=True)
    if command.url:
        say(f"{command.url} as long as this runs; Ctrl-C ends it", err=True)
    sys.exit(subprocess.run(program(command), check=False).returncode)


def program(command: "Command") -> list[str]:
    """A command with the path of its program. Raises EnvironmentFailure if that is not installed."""
    found = shutil.which(command.words[0])
    if found is None:
        raise EnvironmentFailure(f"{command.words[0]} is not installed; the command is: {command.text}")
    return [found, *command.words[1:]]


def answer(command: "Command") -> str:
    """The one line of output of a command. Raises EnvironmentFailure if it fails, or prints nothing."""
    done = subprocess.run(
        program(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    said = done.stdout.strip()
    if done.returncode or not said:
        why = done.stderr.strip() or "no output"
        raise EnvironmentFailure(f"{command.text} failed: {why}")
    return said


def through(forward: "Command", command: "Command") -> int:
    """Run a command while another one keeps a tunnel open for it; the exit code of the first."""
    words = program(command)  # before anything is opened
    say(f"$ {forward.text}\n$ {command.text}", err=True)
    # Not ours to interrupt: the command hears Ctrl-C, and what holds the way open ends after it.
    holding = subprocess.Popen(
        program(forward), stdin=subprocess.DEVNULL, stdout=sys.stderr, start_new_session=True
    )
    try:
        _wait_for(forward, holding)
        return subprocess.run(words, check=False).returncode
    finally:
        holding.terminate()
        holding.wait()


def _wait_for(forward: "Command", holding: "subprocess.Popen[bytes]") -> None:
    """Wait until the tunnel is open. Raises EnvironmentFailure if it ends, or takes too long."""
    port = int(forward.url.rpartition(":")[2])
    until = time.monotonic() + _OPENS_IN
    while time.monotonic() < until:
        if holding.poll() is not None:
            raise EnvironmentFailure(f"{forward.text} ended with {holding.returncode}")
        with suppress(OSError), socket.create_connection(("localhost", port), timeout=1):
            return
        time.sleep(0.1)
    raise EnvironmentFailure(f"{forward.text} has opened nothing after {_OPENS_IN} s")
