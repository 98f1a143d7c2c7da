"""Helpers of rules about duplicates."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from clusterprint.blueprint.part import Part
from clusterprint.rules._known import known, values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding

T = TypeVar("T")
PartT = TypeVar("PartT", bound=Part)


def again(items: Iterable[T], key: Callable[[T], Hashable]) -> Iterator[tuple[T, T]]:
    """Each item whose key an earlier one has, with the first one that has it."""
    first: dict[Hashable, T] = {}
    for item, seen in known(items, key):
        before = first.setdefault(seen, item)
        if before is not item:
            yield item, before


def repeated(  # noqa: PLR0913 - the words of a finding
    parts: Iterable[PartT],
    context: Context,
    message: Callable[[PartT], str],
    *,
    help: str,
    key: Callable[[PartT], Hashable] = lambda part: getattr(part, "name"),  # noqa: B009 - of most parts
    field: str = "name",
    first: str = "the first one",
) -> Iterator[Finding]:
    """A finding for each part whose key an earlier one has, at its `field`.

    `first` is said at the earlier one; empty, nothing is.
    """
    for part, before in again(parts, key):
        also = (context.at(before, field, text=first),) if first else ()
        yield Finding(message(part), context.at(part, field), also=also, help=help)


def repeated_values(  # noqa: PLR0913 - the words of a finding
    part: Part,
    field: str,
    context: Context,
    message: Callable[[Any], str],
    *,
    help: str,
    first: str = "first listed here",
) -> Iterator[Finding]:
    """A finding for each value of a list that stands further up in it."""
    for (index, value), (before, _) in again(values(part, field), lambda item: item[1]):
        also = (context.at(part, field, before, text=first),)
        yield Finding(message(value), context.at(part, field, index), also=also, help=help)
