"""Secrets in a blueprint file: where they stand, also those that only show once YAML has been read."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from clusterprint.diagnostic import Span
from clusterprint.document import Document, Place
from clusterprint.masking.scan import Found, holding, search

_LINE_END = re.compile("\r\n|\r|\n")


class Located(NamedTuple):
    """A secret in a file: what, where, and the place of the key or value that holds it, None in a comment."""

    found: Found
    span: Span
    place: Place | None
    in_key: bool


def secrets_in(document: Document) -> list[Found]:
    """Every stretch of a file's text that looks like a secret, in its order.

    What YAML makes of a scalar counts as well: if only that looks like a secret, all of the scalar is meant.
    """
    found = search(document.text)
    values = [(place, value) for place, value in _leaves(document.data, ()) if isinstance(value, str)]
    secret = holding(tuple(value for _, value in values))
    if not secret:
        return found
    lines = _Lines(document.text)
    starts = [each.start for each in found]
    for place, value in values:
        secrets = search(value) if value in secret else ()
        if secrets and place in document.written and not document.written[place].file:
            start, end = lines.offsets(document.written[place].value)
            # Nothing of it was seen as it is written.
            if bisect_right(starts, end - 1) == bisect_right(starts, start - 1):
                found.append(Found(secrets[0].what, start, end))
    return sorted(found, key=lambda each: each.start)


def located_in(document: Document) -> Iterator[Located]:
    """The same, each with its lines and with the key or value that it stands in."""
    secrets = secrets_in(document)
    if not secrets:
        return
    lines = _Lines(document.text)
    stretches = sorted(_stretches(document, lines))
    starts = [start for start, *_ in stretches]
    for each in secrets:
        span = lines.span(each.start, each.end)
        at = bisect_right(starts, each.start) - 1
        inside = at >= 0 and each.start < stretches[at][1]
        _, _, in_key, place = stretches[at] if inside else (0, 0, False, None)
        yield Located(each, span, place, in_key)


def _stretches(document: Document, lines: "_Lines") -> Iterator[tuple[int, int, bool, Place]]:
    """Where each key and each scalar begins and ends; none overlaps another."""
    leaves = {place for place, _ in _leaves(document.data, ())}
    for place, written in document.written.items():
        if written.file:
            continue
        if place and isinstance(place[-1], str):
            yield (*lines.offsets(written.key), True, place)
        if place in leaves:
            yield (*lines.offsets(written.value), False, place)


def _leaves(data: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    if items is None:
        yield place, data
        return
    for key, each in items:
        yield from _leaves(each, (*place, key))


class _Lines:
    """Offsets in a text, and lines and columns that count from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def offsets(self, span: Span) -> tuple[int, int]:
        """Where a span begins and ends."""
        return (
            self._starts[span.line - 1] + span.column - 1,
            self._starts[span.end_line - 1] + span.end_column - 1,
        )

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets."""
        line, last = bisect_right(self._starts, start), bisect_right(self._starts, end)
        return Span(line, start - self._starts[line - 1] + 1, last, end - self._starts[last - 1] + 1)
