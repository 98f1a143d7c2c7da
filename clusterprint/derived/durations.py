"""Durations and moments as blueprints write them."""

from datetime import UTC, datetime

#: The hours of a month, as clouds bill them.
HOURS_OF_A_MONTH = 730

#: Moments are in UTC.
MOMENT = "%Y-%m-%dT%H:%M:%SZ"

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(duration: str) -> int:
    """A duration such as `30m` or `7d`, in seconds. ValueError if it is not one."""
    unit = duration[-1:]
    if unit not in _SECONDS:
        raise ValueError(duration)
    return int(duration[:-1]) * _SECONDS[unit]


def moment(text: str) -> datetime | None:
    """A moment such as `2026-12-01T00:00:00Z`; None where the calendar has no such day."""
    try:
        return datetime.strptime(str(text), MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None
