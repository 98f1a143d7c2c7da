"""Quantities as blueprints write them."""

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(duration: str) -> int:
    """A duration such as `30m` or `7d`, in seconds. ValueError if it is not one."""
    unit = duration[-1:]
    if unit not in _SECONDS:
        raise ValueError(duration)
    return int(duration[:-1]) * _SECONDS[unit]
