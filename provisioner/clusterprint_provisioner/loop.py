"""The loop: a round whenever something changed, soon again while something is under way."""

import logging
import time
from collections.abc import Callable
from threading import Event
from typing import NamedTuple

from clusterprint_provisioner.container import CloudError
from clusterprint_provisioner.controller import Controller, Deposed
from clusterprint_provisioner.election import EVERY, Elector
from clusterprint_provisioner.kube import ApiError
from clusterprint_provisioner.watching import Copies

_LOG = logging.getLogger(__name__)
#: After this long without a turn something is wrong with the loop itself.
_STUCK = 600.0
_LONGEST_PAUSE = 60.0


class Pace(NamedTuple):
    """Seconds between two rounds: at least, while something is under way, while nothing is."""

    apart: float = 1.0
    busy: float = 5.0
    idle: float = 60.0


USUAL = Pace()


class Loop:
    """Rounds of the controller, one after the other, while `leads` says so."""

    def __init__(  # noqa: PLR0913, PLR0917 - what it goes by
        self,
        controller: Controller,
        copies: Copies,
        leads: Callable[[], bool],
        stop: Event,
        wake: Event,
        pace: Pace = USUAL,
    ) -> None:
        self._controller, self._copies, self._leads = controller, copies, leads
        self._stop, self._wake, self._pace = stop, wake, pace
        self._turned = time.monotonic()

    def is_alive(self) -> bool:
        """Whether the loop still turns."""
        return time.monotonic() - self._turned < _STUCK

    def run(self) -> None:
        """Go on until told to stop."""
        failures = 0
        while not self._stop.is_set():
            self._turned = time.monotonic()
            wait = self._pace.apart
            if self._copies.are_ready and self._leads():
                wait, failures = self._turn(failures)
            if failures:
                self._stop.wait(wait)
            else:
                self._stop.wait(self._pace.apart)
                self._wake.wait(max(wait - self._pace.apart, 0.0))
            self._wake.clear()

    def campaign(self, elector: Elector) -> None:
        """Hold the Lease, or try to."""
        while not self._stop.is_set():
            had = elector.leads()
            if elector.try_once() != had:
                _LOG.info("this replica is %s", "the leader" if elector.leads() else "on standby")
                self._wake.set()
            self._stop.wait(EVERY)

    def _turn(self, failures: int) -> tuple[float, int]:
        """One round: how long to wait for the next, and how many have failed in a row."""
        try:
            return (self._pace.busy if self._controller.round(self._copies.cluster()) else self._pace.idle), 0
        except Deposed:
            return self._pace.apart, 0
        except (ApiError, CloudError) as error:
            pause = min(self._pace.apart * 2.0 ** min(failures + 1, 8), _LONGEST_PAUSE)
            _LOG.warning("%s; retrying in %.0f s", error, pause)
            return pause, failures + 1
