"""Automatic updates of machines, for resolve and rules."""

from datetime import datetime

from msgspec import UNSET

from clusterprint.blueprint.updates import MachineUpdate, Updates, UpdateWindow
from clusterprint.derived.durations import moment
from clusterprint.plan.updates import UpdatesPlan

_DAYS = {"MO": "Mon", "TU": "Tue", "WE": "Wed", "TH": "Thu", "FR": "Fri", "SA": "Sat", "SU": "Sun"}


def days(window: UpdateWindow, start: datetime) -> tuple[str, ...]:
    """The days of the week on which a window opens, as systemd calls them."""
    if window.recurrence == "FREQ=DAILY":
        return tuple(_DAYS.values())
    _, _, named = window.recurrence.partition("BYDAY=")
    return tuple(each for key, each in _DAYS.items() if key in named) or (start.strftime("%a"),)


def resolve_updates(updates: Updates) -> UpdatesPlan | None:
    """The updates of machines; None where that is left to their images."""
    if updates.mode == "image":
        return None
    window = updates.window
    start, end = (UNSET, UNSET) if window is UNSET else (moment(window.start), moment(window.end))
    if updates.mode == "hold" or window is UNSET or not start or not end:
        return UpdatesPlan(security=updates.mode == "security")
    return UpdatesPlan(
        security=True,
        calendar=f"{','.join(days(window, start))} *-*-* {start:%H:%M:%S} UTC",
        first=int(start.timestamp()),
        seconds=int((end - start).total_seconds()),
    )


def batch(update: MachineUpdate, nodes: int) -> int:
    """How many of some nodes are replaced at a time: at least one, and never more than was written."""
    written = 1 if update.batch is UNSET else update.batch
    return max(1, nodes * int(written.removesuffix("%")) // 100) if isinstance(written, str) else written


def percent(update: MachineUpdate, nodes: int) -> int:
    """The same in the words of Azure, whose default it is."""
    written = "20%" if update.batch is UNSET else update.batch
    return int(written[:-1]) if isinstance(written, str) else min(100, 100 * written // max(1, nodes))
