"""Programs that run for us, and how they are told to stop.

Each has a process group of its own, so that a Ctrl-C at the terminal does not reach it twice, and writes into
a file: where clusterprint itself is killed, no pipe breaks, and Terraform finishes and saves its state.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from clusterprint.errors import ClusterprintError, EnvironmentFailure

_LOOK_EVERY = 0.05  # seconds

# The signal that stops programs hard, whatever they are at.
_HARD = 2

# What a program that was told twice still gets to end by itself.
_HARD_AFTER = 10.0
# What it takes at the most to hear a signal.
_HEARD_AFTER = 0.5

_STOPPED = (
    "stopped: what was done is in the state, or will be saved by the next run, which continues from there"
)

_STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Interrupted(ClusterprintError):  # noqa: N818 - it is no mistake
    """A signal has stopped the command; it ended as it should."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.exit_code = 128 + number


class Command(NamedTuple):
    """A process to run: its folder, environment, output file, and the handles that it keeps open.

    `begun` is told its process number once it runs.
    """

    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    log: Path
    handles: tuple[int, ...] = ()
    begun: Callable[[int], None] = lambda _: None


class Processes:
    """All programs that run at the moment. `told` is the signal that stopped the command, if one did.

    `times` is how often it was told.
    """

    def __init__(self) -> None:
        self.told = 0
        self.times = 0
        self._clearing = False
        self._answering = False
        self._running: set[subprocess.Popen[bytes]] = set()

    def run(self, command: Command, heard: Callable[[str], None]) -> int:
        """Run a program and pass on each line when it is written; returns the exit code.

        Raises Interrupted if the command was stopped before.
        """
        self.check()
        with command.log.open("ab") as log:
            start = log.tell()
            process = self._start(command, log.fileno())
        self._running.add(process)
        try:
            command.begun(process.pid)
            if self.told:
                self._signal(process)
            with command.log.open("rb") as reader:
                reader.seek(start)
                for line in _lines(reader.read, lambda: process.poll() is not None):
                    heard(line)
        finally:
            self._running.discard(process)
        return process.returncode

    @property
    def hard(self) -> bool:
        """Whether programs are stopped whatever they are at."""
        return self.times >= _HARD

    def check(self) -> None:
        """Raise Interrupted if the command was told to stop."""
        if self.told:
            raise Interrupted(self.told, _STOPPED)

    def clear_away(self) -> None:
        """Go on after a first signal, or before any: what runs now is what that asks for.

        From here on only the second signal stops programs, and hard.
        """
        self._clearing = True
        if not self.hard:
            self.told = 0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Let a signal end what the main thread waits for at once, such as an answer."""
        self._answering = True
        try:
            self.check()
            yield
        finally:
            self._answering = False

    def _start(self, command: Command, log: int) -> "subprocess.Popen[bytes]":
        try:
            # A list of words, no shell; they are ours, names of files and addresses of resources.
            return subprocess.Popen(
                list(command.words),
                cwd=command.folder,
                env=dict(command.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=command.handles,
            )
        except OSError as error:
            raise EnvironmentFailure(f"{command.words[0]} cannot be run: {error.strerror}") from error

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Let the first signal stop programs softly, the second hard; for the main thread."""
        before = {number: signal.getsignal(number) for number in _STOPPING}
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:  # who runs a command under nohup wants it to go on
                signal.signal(number, self._stop)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        self.times += 1
        if self._clearing and not self.hard:
            return
        self.told = self.told or number
        self._signal_all()
        if self.hard:
            if self._clearing:  # what runs has not heard the first one; sent at once, two would count as one
                _later(_HEARD_AFTER, self._signal_all)
            _later(_HARD_AFTER if self.times == _HARD else 0, self._kill)
        if self._answering:
            self.check()

    def _signal_all(self) -> None:
        for process in tuple(self._running):
            self._signal(process)

    def _signal(self, process: "subprocess.Popen[bytes]") -> None:
        # Terraform alone: its providers are its own to stop. Twice makes it drop everything.
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)

    def _kill(self) -> None:
        for process in tuple(self._running):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def _later(seconds: float, work: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


def _lines(read: Callable[[], bytes], ended: Callable[[], bool]) -> Iterator[str]:
    """The lines of a growing file, until its writer has ended."""
    rest = b""
    while True:
        last = ended()  # asked first: what is written before the end is read after it
        *whole, rest = (rest + read()).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace")
        if last:
            break
        time.sleep(_LOOK_EVERY)
    if rest:
        yield rest.decode("utf-8", "replace")
