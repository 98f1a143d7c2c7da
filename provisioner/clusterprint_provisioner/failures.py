"""Why there is no pool: what the cloud says, as one of a few reasons."""

import re

from msgspec import Struct

#: Each reason: what it is called in events, and the words by which it is known, the first that fit.
_REASONS = (
    (
        "Busy",
        re.compile(
            r"incompatible operation|operation .* is currently|CLUSTER_ALREADY_HAS_OPERATION", re.IGNORECASE
        ),
    ),
    (
        "StockOut",
        re.compile(
            r"stockout|RESOURCE_POOL_EXHAUSTED|not have enough resources|out of capacity", re.IGNORECASE
        ),
    ),
    ("QuotaExceeded", re.compile(r"quota", re.IGNORECASE)),
    ("ReservationUnavailable", re.compile(r"\breservations?\b", re.IGNORECASE)),
    ("Forbidden", re.compile(r"permission|forbidden|does not have .*access|actAs", re.IGNORECASE)),
)
#: Another offer may well do.
ELSEWHERE = frozenset(
    {"StockOut", "QuotaExceeded", "ReservationUnavailable", "Forbidden", "Invalid", "Failed"}
)
#: The pool was there, and the first pod could not be scheduled on its nodes.
UNSCHEDULABLE = "Unschedulable"
# Who we are is not known at the moment, it took too long, or it was asked too often.
_NOT_NOW = (401, 408, 429)
_BROKEN = 500
_FORBIDDEN = 403
_WRONG = 400
_MOST = 600


class Failure(Struct, frozen=True):
    """A reason, and what the cloud said."""

    reason: str
    message: str


def failure_of(message: str, *, codes: tuple[str, ...] = (), status: int = 0) -> Failure:
    """The cause behind an operation, a pool in error or a refused request."""
    text = " ".join((message or "no details from the cloud").split())[:_MOST]
    if status in _NOT_NOW or status >= _BROKEN:
        return Failure("Unavailable", text)
    whole = " ".join((*codes, text))
    for reason, words in _REASONS:
        if words.search(whole):
            return Failure(reason, text)
    if status == _FORBIDDEN:
        return Failure("Forbidden", text)
    return Failure("Invalid" if status >= _WRONG else "Failed", text)
