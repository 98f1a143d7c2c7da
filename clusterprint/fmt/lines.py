"""How lines begin and end: two columns for each level, lists inside their key, no space at the end."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from clusterprint.fmt.columns import Columns, columns_of
from clusterprint.fmt.pieces import Edit, Piece, words


def set_lines(text: str, pieces: Sequence[Piece]) -> Iterator[Edit]:
    """The edits of everything between lines, and of lines within texts."""
    seen = words(pieces)
    columns = columns_of(text, pieces)
    if not seen:
        return
    yield Edit(0, seen[0].start, " " * columns.of(seen[0]))
    for one, other in pairwise(seen):
        gap = text[one.stop : other.start]
        if "\n" in gap:
            breaks = min(gap.count("\n"), 2)
            yield Edit(one.stop, other.start, "\n" * breaks + " " * columns.of(other))
    yield Edit(seen[-1].stop, len(text), _kept(text, seen[-1]))
    for each in seen:
        if each.sort == "scalar" and "\n" in text[each.start : each.stop]:
            yield from _within(text, each, columns)


def _kept(text: str, last: Piece) -> str:
    """The end of the file: one line break, unless a text after `|` or `>` would say more or less with it."""
    head, _, body = text[last.start : last.stop].partition("\n")
    sign = head.partition("#")[0]
    if last.is_block and ("+" in sign or (body and "-" not in sign and "\n" not in text[last.stop :])):
        return text[last.stop :]
    return "\n"


def _within(text: str, piece: Piece, columns: Columns) -> Iterator[Edit]:
    """Lines after the first of a text of several lines."""
    body = text[piece.start : piece.stop]
    shift = _shift(body, piece, columns) if piece.is_block else 0
    at = piece.start
    for number, line in enumerate(body.split("\n")):
        if not number and piece.is_block:
            yield Edit(at + len(line.rstrip()), at + len(line), "")
        elif number and line.strip():
            old = len(line) - len(line.lstrip(" " if piece.is_block else None))
            yield Edit(at, at + old, " " * max(0, old + shift if piece.is_block else columns.inside(piece)))
        elif number and piece.is_block:
            old = len(line)
            yield Edit(at, at + old, " " * max(0, old + shift) if old > columns.body(piece) - shift else "")
        at += len(line) + 1


def _shift(body: str, piece: Piece, columns: Columns) -> int:
    head, _, lines = body.partition("\n")
    if any(sign.isdigit() for sign in head.partition("#")[0]):
        return columns.moved(piece)
    first = next((line for line in lines.split("\n") if line.strip()), "")
    return columns.body(piece) - (len(first) - len(first.lstrip(" "))) if first else 0
