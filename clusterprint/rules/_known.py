"""Ways to look at several parts when one of them may have been reported already.

A rule stops at the first value that is known to be wrong. A rule that compares parts with each other
looks at them through this, so that one wrong part does not silence what is to say about the others.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from clusterprint.blueprint.broken import BROKEN, met_broken
from clusterprint.blueprint.part import Part

T = TypeVar("T")
Seen = TypeVar("Seen")


def known(items: Iterable[T], look: Callable[[T], Seen]) -> Iterator[tuple[T, Seen]]:
    """Each item with what `look` sees in it, without those where that was reported already."""
    for item in items:
        try:
            seen = look(item)
        except Exception as error:
            if not met_broken(error):
                raise
            continue
        if not _has_broken(seen):
            yield item, seen


def values(part: Part, field: str) -> Iterator[tuple[int, Any]]:
    """The values of a list, each with its position, without those that were reported already."""
    for index, value in enumerate(getattr(part, field)):
        if value is not BROKEN:
            yield index, value


def _has_broken(seen: object) -> bool:
    several = seen if isinstance(seen, tuple) else (seen,)
    return any(each is BROKEN for each in several)
