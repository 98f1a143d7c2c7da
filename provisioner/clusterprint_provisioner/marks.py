"""Durations of conditions, by a clock that never jumps."""

from typing import NamedTuple


class Now(NamedTuple):
    """The time of day, which somebody may set, and a clock that only goes on."""

    wall: float
    steady: float


class Marks:
    """Remembers since when something is so, for as long as it is asked about in every round."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._asked: set[str] = set()

    def age(self, key: str, now: Now) -> float:
        """For how many seconds this has been asked about."""
        self._asked.add(key)
        return now.steady - self._since.setdefault(key, now.steady)

    def end_round(self) -> None:
        """Forget what was not asked about."""
        self._since = {key: since for key, since in self._since.items() if key in self._asked}
        self._asked.clear()
