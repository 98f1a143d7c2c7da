"""Shared by the commands that access a cluster: arguments, and running or printing a command."""

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.access.command import Command, program
from clusterprint.cli import cluster_arguments, lifecycle
from clusterprint.cli.output import say
from clusterprint.derived import durations
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import Examined, examine

if TYPE_CHECKING:
    from clusterprint.plan.part import StackPlan

PRINT = click.option("--print", "prints", is_flag=True, help="Print the command, and do not run it.")

# Seconds in which a port-forward has to be open.
_OPENS_IN = 30


class Reached:
    """A named cluster: its checked blueprint, the plans of its stacks, the named part, and in which cloud."""

    def __init__(self, target: str, among: Sequence[Path], simulate: Path | None) -> None:
        from clusterprint.access.target import find_target

        self.file, self.part = find_target(target, among)
        self.simulate = simulate
        self.examined = cluster_arguments.insist_on_sound(examine([self.file]), warn=False)
        self.plans = plans_of(self.examined)

    @property
    def creation(self) -> str:
        """The command that creates it in its simulated cloud."""
        return shlex.join(["clusterprint", "up", "--simulate", str(self.simulate), str(self.file)])

    def reachable(self) -> "tuple[StackPlan, ...]":
        """The plans; that of a scale set with Slurm with the addresses in its state."""
        from clusterprint.access import slurm
        from clusterprint.cli.azure_outputs import connect
        from clusterprint.plan.vmss import VmssPlan

        first = self.plans[0]
        if not isinstance(first, VmssPlan) or not slurm.has_slurm(first):
            return self.plans
        return (slurm.found_at(first, connect(self.examined, first, self.simulate)),)

    def go(
        self, command: Command, *, prints: bool, outcome: str | None = None, script: Path | None = None
    ) -> None:
        """Print a command, or also run it, with the programs of its cloud, and exit with its code.

        It reads `script` from its standard input; without one, what this command reads.
        """
        text = command.text if script is None else f"{command.text} < {shlex.quote(str(script))}"
        if prints:
            say(text)
            return
        content = None if script is None else script.read_bytes()
        with programs(self.simulate, outcome) as environment:
            say(f"$ {text}", err=True)
            if command.url and self.simulate is None:
                say(f"{command.url} as long as this runs; Ctrl-C ends it", err=True)
            words = program(command, environment)
            code = subprocess.run(words, input=content, check=False, env=environment).returncode
        if code and self.simulate is not None:
            say(f"if the cluster is not there yet: {self.creation}", err=True)
        sys.exit(code)


def insist_on_running(reached: Reached, command: Command) -> None:
    """Raises EnvironmentFailure if the node of a shell is one that Slurm, or its idle group, has stopped."""
    from clusterprint.plan.vm import VmPlan
    from clusterprint.status.compute_engine import STOPPED, instances_of, start
    from clusterprint.status.programs import Programs, Unasked

    plan = reached.plans[0]
    if not isinstance(plan, VmPlan):
        return
    node = command.words[3]  # gcloud compute ssh NODE
    stops = [each.group for each in plan.groups if each.group.idle and each.group.idle.stops]
    ways = [start(node, part, plan.project) for each in stops for part in each.parts if node in part.nodes]
    why = "nobody used its group: start it by "
    if plan.slurm is not None and plan.slurm.may_stop(node):
        ways = [f"clusterprint ssh {plan.name} -- sudo scontrol update nodename={node} state=power_up"]
        why = "no job needs it: one that does starts it; or start it by "
    if not ways:
        return
    with programs(reached.simulate) as environment, suppress(Unasked):
        there = instances_of(plan, Programs(environment, simulated=reached.simulate is not None))
        if any(each["status"].lower() in STOPPED for (_, name), each in there.items() if name == node):
            raise EnvironmentFailure(f"{node} is stopped, because {why}{ways[0]}")


def target(command: cluster_arguments.Command) -> cluster_arguments.Command:
    """As `reaching`, with --print."""
    return reaching(PRINT(command))


def reaching(command: cluster_arguments.Command) -> cluster_arguments.Command:
    """Add CLUSTER[/PART], --in and --simulate to a command, which gets a `reached`."""

    @wraps(command)
    def found(*, target: str, among: tuple[Path, ...], simulate: Path | None, **options: object) -> None:
        command(reached=Reached(target, among, simulate), **options)

    return cluster_arguments.TARGET(cluster_arguments.AMONG(lifecycle.SIMULATE(found)))


def seconds(_context: click.Context, _option: click.Parameter, value: str) -> int:
    """The seconds of a duration that an option has. Raises BadParameter if it is none."""
    try:
        return durations.seconds(value)
    except ValueError:
        raise click.BadParameter("a duration is a whole number and s, m, h or d, such as 30m") from None


TIMEOUT = click.option(
    "--timeout",
    default="1d",
    show_default=True,
    metavar="DURATION",
    callback=seconds,
    help="Timeout for the run to finish.",
)
OUTCOME = click.option(
    "--outcome",
    type=click.Choice(["succeeded", "failed", "preempted"]),
    help="Only with --simulate: how the run ends. One that is preempted is queued again, and succeeds.",
)


def check_outcome(reached: Reached, outcome: str | None) -> None:
    """Raises UsageError for an outcome of a run in a real cloud."""
    if outcome is not None and reached.simulate is None:
        raise UsageError("--outcome is for a simulated run: give --simulate DIR, or leave it out")


@contextmanager
def programs(simulate: Path | None, outcome: str | None = None) -> Iterator[Mapping[str, str]]:
    """The environment in which commands find the clouds' programs: in a simulated cloud, only its own.

    With `outcome`, runs that are started there end so. Raises EnvironmentFailure if the simulated cloud does
    not start.
    """
    if simulate is None:
        yield os.environ
        return
    lifecycle.insist_on_posix()
    from clusterprint.lifecycle.world import world

    with world(simulate, ()) as place:
        say(lifecycle.SIMULATED, err=True)
        yield {**place.environment, **({"SIMULATED_OUTCOME": outcome} if outcome else {})}


def plans_of(examined: Examined) -> "tuple[StackPlan, ...]":
    """The plans of the stacks of a sound blueprint."""
    from clusterprint.resolve import resolve

    (validated,) = examined.results
    assert validated.blueprint is not None  # noqa: S101 - it is sound
    return resolve(validated.blueprint, validated.document.folder)


def through(forward: Command, command: Command) -> int:
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


def _wait_for(forward: Command, holding: "subprocess.Popen[bytes]") -> None:
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
