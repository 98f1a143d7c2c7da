"""Progress of stacks: lines that stay, and at a terminal one line per stack that changes."""

import shutil
import threading
import time
from collections.abc import Callable
from os import environ
from typing import TextIO

from clusterprint.lifecycle.events import DOING, DONE, Event
from clusterprint.masking import mask
from clusterprint.render.visible import visible

_UP = "\x1b[{}A"
_CLEAR_LINE = "\r\x1b[K"

# At no terminal: a resource that takes long is mentioned again after so many seconds.
_SAY_AGAIN = 60


class Progress:
    """How far one stack is."""

    def __init__(self, stack: str) -> None:
        self.stack = stack
        self.what = ""
        self.done = 0
        self.total = 0
        self.doing: dict[str, str] = {}
        self.started = time.monotonic()

    @property
    def line(self) -> str:
        """In one line: the stack, how long, done of total, and what is in work."""
        seconds = int(time.monotonic() - self.started)
        amount = f" {self.done} of {self.total}" if self.total else ""
        doing = list(self.doing.values())
        more = f" and {len(doing) - 1} more" if len(doing) > 1 else ""
        what = f": {doing[0]}{more}" if doing else f": {self.what}" if self.what else ""
        return f"{self.stack} {seconds // 60}:{seconds % 60:02}{amount}{what}"


class Display:
    """Shows what happens. Safe to call from several threads; `say` prints a line that stays."""

    def __init__(self, stream: TextIO, say: Callable[[str], None]) -> None:
        self._stream = stream
        self._say = say
        self._lock = threading.RLock()
        self._live = stream.isatty() and environ.get("TERM") != "dumb"
        self._progress: dict[str, Progress] = {}
        self._drawn = 0

    def line(self, text: str) -> None:
        """A line that stays."""
        with self._lock:
            self._wipe()
            self._say("\n".join(visible(each) for each in text.split("\n")))
            self._draw()

    def begin(self, stack: str, what: str, total: int = 0) -> None:
        """A stack begins with something."""
        with self._lock:
            progress = self._progress[stack] = Progress(stack)
            progress.what, progress.total = what, total
            if not self._live:
                self.line(f"[{stack}] {what}")
            self._redraw()

    def end(self, stack: str, what: str = "") -> None:
        """A stack is done with it."""
        with self._lock:
            self._wipe()
            self._progress.pop(stack, None)
            if what:
                self.line(f"[{stack}] {what}")
            self._draw()

    def heard(self, stack: str, event: Event) -> None:
        """Terraform said something about a resource of a stack."""
        with self._lock:
            progress = self._progress.setdefault(stack, Progress(stack))
            doing = DOING.get(event.action, event.action)
            if event.action == "read":
                return
            if event.sort == "apply_start":
                progress.doing[event.address] = f"{doing} {event.address}"
                if not self._live:
                    self.line(f"[{stack}] {doing} {event.address}")
            elif event.sort == "apply_progress":
                self._still(progress, event, doing)
            elif event.sort == "provision_progress":
                self._printed(stack, event)
            elif event.sort in ("apply_complete", "apply_errored"):
                self._finished(progress, event)
            self._redraw()

    def _still(self, progress: Progress, event: Event, doing: str) -> None:
        progress.doing[event.address] = f"{doing} {event.address} ({event.seconds} s)"
        if not self._live and event.seconds and event.seconds % _SAY_AGAIN == 0:
            self.line(f"[{progress.stack}] still {doing} {event.address} ({event.seconds} s)")

    def _printed(self, stack: str, event: Event) -> None:
        """The output of a script while it waits or works, without the line about its start."""
        if event.output.strip() and not event.output.startswith("Executing: ["):
            self.line(f"[{stack}] {event.output.rstrip()}")

    def _finished(self, progress: Progress, event: Event) -> None:
        progress.doing.pop(event.address, None)
        failed = event.sort == "apply_errored"
        progress.done += not failed
        did = f"failed {DOING.get(event.action, '')}" if failed else DONE.get(event.action, event.action)
        amount = f", {progress.done} of {progress.total}" if progress.total and not failed else ""
        self.line(f"[{progress.stack}] {did} {event.address} ({event.seconds} s{amount})")

    def _redraw(self) -> None:
        self._wipe()
        self._draw()

    def _wipe(self) -> None:
        if self._drawn:
            self._stream.write((_UP.format(1) + _CLEAR_LINE) * self._drawn)
            self._drawn = 0

    def _draw(self) -> None:
        if not self._live:
            return
        wide = shutil.get_terminal_size().columns - 1
        for progress in self._progress.values():
            self._stream.write(visible(mask(progress.line))[:wide] + "\n")
            self._drawn += 1
        self._stream.flush()
