"""Decisions about dashboards and alerts of Cloud Monitoring that all kinds share."""

import hashlib

COLUMNS = 2
CLOSE_SECONDS = 30 * 60


def resolve_channels(names: tuple[str, ...]) -> dict[str, str]:
    """Display names of channels by what they are called in the state: a name may hold anything."""
    return {hashlib.sha256(name.encode()).hexdigest()[:8]: name for name in names}
