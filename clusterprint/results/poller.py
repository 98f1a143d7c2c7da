"""Polling: ask again until there is an answer or a timeout."""

import time
from collections.abc import Callable
from typing import TypeVar

from clusterprint.errors import EnvironmentFailure
from clusterprint.results.kubectl import Unanswered

Answer = TypeVar("Answer")
Log = Callable[[str], None]

# Asking costs the cluster little and a person nothing; jobs take minutes to days.
PAUSE = 5.0
# A control plane that is being upgraded comes back within this time.
OUTAGE = 300.0


class Clock:
    """The time of the real world."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)


class Poller:
    """Asks repeatedly, with two timeouts in seconds: `limit` for the end, `OUTAGE` for any answer.

    `log` is called with whatever is new; `clock` is that of the cloud.
    """

    def __init__(self, *, limit: float, log: Log, pause: float = PAUSE, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._limit = limit
        self._outage = min(OUTAGE, limit)
        self._pause = pause
        self._log = log
        self._logged = ""

    def until(self, done: Callable[[Answer], bool], ask: Callable[[], Answer]) -> Answer | None:
        """Ask until the answer is one that counts as done; None if that takes longer than the limit."""
        end = self._clock.now() + self._limit
        while True:
            answer = self.answer(ask)
            if done(answer):
                return answer
            left = end - self._clock.now()
            if left <= 0:
                return None
            self._clock.sleep(min(self._pause, left))

    def answer(self, ask: Callable[[], Answer]) -> Answer:
        """Ask until there is an answer; EnvironmentFailure if the cluster is away for too long."""
        end = self._clock.now() + self._outage
        while True:
            try:
                return ask()
            except Unanswered as error:
                left = end - self._clock.now()
                if left <= 0:
                    raise EnvironmentFailure(f"the cluster does not answer: {error}") from error
                self.report(f"the cluster does not answer, asking again: {error}")
                self._clock.sleep(min(self._pause, left))

    def report(self, what: str) -> None:
        """Log what is new, once."""
        if what != self._logged:
            self._logged = what
            self._log(what)
