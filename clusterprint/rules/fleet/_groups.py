"""Saying once what is wrong with several clusters together, however many they are.

A finding for each pair would be as many as the square of their number, and none of them would be news.
"""

from collections.abc import Sequence

from clusterprint.diagnostic import Label

# How many other places a finding shows.
_SHOWN = 4


def also(places: Sequence[Label]) -> tuple[Label, ...]:
    """The first few of some places; the last of them says how many more there are."""
    if len(places) <= _SHOWN:
        return tuple(places)
    *first, last = places[:_SHOWN]
    return (*first, last._replace(text=f"{last.text}, and {len(places) - _SHOWN:,} more"))


def and_more(name: str, count: int) -> str:
    """A name, and how many there are besides."""
    return f"{name} and {count:,} more" if count else name
