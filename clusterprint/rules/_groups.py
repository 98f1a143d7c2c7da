"""Saying once what has one cause, however many clusters or workloads it is wrong with.

A finding for each pair would be as many as the square of their number, and none of them would be news.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from clusterprint.diagnostic import Label

T = TypeVar("T")

# How many other places a finding shows.
_SHOWN = 4


def by_cause(items: Iterable[T], cause: Callable[[T], Hashable]) -> list[list[T]]:
    """The items that have one cause together, in the order of the first of each."""
    found: dict[Hashable, list[T]] = {}
    for item in items:
        found.setdefault(cause(item), []).append(item)
    return list(found.values())


def also(places: Sequence[Label]) -> tuple[Label, ...]:
    """The first few of some places; the last of them says how many more there are."""
    if len(places) <= _SHOWN:
        return tuple(places)
    *first, last = places[:_SHOWN]
    return (*first, last._replace(text=f"{last.text}, and {len(places) - _SHOWN:,} more"))


def and_more(name: str, count: int) -> str:
    """A name, and how many there are besides."""
    return f"{name} and {count:,} more" if count else name
