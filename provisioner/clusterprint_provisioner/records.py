"""Past failures and next tries, which outlive a restart."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from clusterprint_provisioner.failures import ELSEWHERE, UNSCHEDULABLE, Failure
from clusterprint_provisioner.offers import Offer

_FIRST_PAUSE = 30.0
LONGEST_PAUSE = 1800.0
#: Nodes on which the pods could not run cost money each time.
_FIRST_PAUSE_OF_UNSCHEDULABLE, _LONGEST_PAUSE_OF_UNSCHEDULABLE = 3600.0, 86400.0
_LONGEST = 200


class Record(Struct, frozen=True):
    """The failures of one pool. `until` is a time of day, before which nothing is tried again.

    `handled` is the last operation that was counted, `offer` how far along the offers it is, `asked` the
    pod for which it holds: another one is no reason to wait. Empty is any.
    """

    failures: int
    offer: int
    reason: str
    message: str
    until: float
    pause: float
    handled: str = ""
    asked: str = ""


def after(  # noqa: PLR0913 - what a failure is remembered by
    record: Record | None, failure: Failure, *, handled: str, offers: int, now: float, asked: str = ""
) -> Record:
    """The record with one more failure: the next offer at once, and a pause where all have been tried.

    What is about the API and not about the offer is tried again with the same one.
    """
    failures = (record.failures if record else 0) + 1
    offer = record.offer if record else 0
    if failure.reason in ELSEWHERE:
        offer += 1
        rounds, rest = divmod(offer, max(offers, 1))
        pause = 0.0 if rest else doubled(rounds - 1)
    elif failure.reason == UNSCHEDULABLE:
        offer += 1
        pause = doubled(failures - 1, _FIRST_PAUSE_OF_UNSCHEDULABLE, _LONGEST_PAUSE_OF_UNSCHEDULABLE)
    else:
        pause = doubled(failures - 1)
    return Record(
        failures=failures,
        offer=offer,
        reason=failure.reason,
        # A ConfigMap holds a megabyte: room for thousands.
        message=failure.message[:_LONGEST],
        until=now + pause,
        pause=pause,
        handled=handled or (record.handled if record else ""),
        asked=asked,
    )


def doubled(times: int, first: float = _FIRST_PAUSE, longest: float = LONGEST_PAUSE) -> float:
    """How long to wait after so many times."""
    return min(first * 2.0 ** min(max(times, 0), 10), longest)


def next_offer(record: Record | None, offers: Sequence[Offer]) -> Offer:
    """The offer that is tried now."""
    return offers[(record.offer if record else 0) % len(offers)]


def written(record: Record) -> str:
    """A record as text."""
    return msgspec.json.encode(record).decode()


def read(text: str) -> Record | None:
    """A record from text; None for anything else, which costs no more than trying again."""
    try:
        return msgspec.json.decode(text, type=Record)
    except msgspec.DecodeError:
        return None
