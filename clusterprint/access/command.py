"""A command that somebody could type, and its output."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure
from clusterprint.results.poller import Clock

# Simulated seconds: a pause between two questions, and after how many of them pauses get longer.
_STEP, _LONG = 20, 900


class Command(NamedTuple):
    """The words of a command, and the address that it opens, if it does."""

    words: tuple[str, ...]
    url: str = ""

    @property
    def text(self) -> str:
        """As one types it in a shell."""
        return shlex.join(self.words)


def read(text: str) -> Command:
    """A command that is written down as one types it."""
    return Command(tuple(shlex.split(text)))


def program(command: Command, environment: Mapping[str, str] = os.environ) -> list[str]:
    """A command with the path of its program. Raises EnvironmentFailure if that is not installed."""
    found = shutil.which(command.words[0], path=environment.get("PATH"))
    if found is None:
        raise EnvironmentFailure(f"{command.words[0]} is not installed; the command is: {command.text}")
    return [found, *command.words[1:]]


def execute(command: Command, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A command that has ended, and what it printed. Raises EnvironmentFailure if it is not installed."""
    return subprocess.run(
        program(command, environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def answer(command: Command, environment: Mapping[str, str] = os.environ) -> str:
    """The one line of output of a command. Raises EnvironmentFailure if it fails, or prints nothing."""
    done = execute(command, environment)
    said = done.stdout.strip()
    if done.returncode or not said:
        why = done.stderr.strip() or "no output"
        raise EnvironmentFailure(f"{command.text} failed: {why}")
    return said


class SimulatedClock(Clock):
    """The clock of a simulated cloud, for whom waiting takes no time; who waits for long sleeps longer."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment, self._passed, self._step = environment, 0, _STEP

    def now(self) -> float:
        """Seconds since the command began to wait."""
        return self._passed

    def sleep(self, seconds: float) -> None:
        """Let some time pass there."""
        if self._passed > _LONG:
            self._step *= 2
        self._passed += max(self._step, int(seconds))
        words = Command(("simulated-time", str(max(self._step, int(seconds)))))
        answer(words, self._environment)
