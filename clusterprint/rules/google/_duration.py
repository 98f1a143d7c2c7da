"""Durations of a blueprint, such as `30m` and `7d`."""

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(duration: str) -> int:
    """A duration in seconds."""
    return int(duration[:-1]) * SECONDS[duration[-1]]
