"""In which column each line begins, by the levels of maps, lists and brackets around it."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from clusterprint.fmt.pieces import Piece, words

_STEP = 2


class _Level:
    """A map or list in lines of its own. `items` is set while a list stands unindented below its key."""

    def __init__(self, sort: str, column: int, old: int) -> None:
        self.sort = sort
        self.column = column
        self.old = old
        self.items = False

    @property
    def inner(self) -> int:
        """The column of what belongs to an entry of it."""
        return self.column + (2 * _STEP if self.items else _STEP)

    @property
    def dash(self) -> int:
        return self.column + (_STEP if self.sort == "map" else 0)


class _Place(NamedTuple):
    column: int  # of the line that begins with it
    inside: int  # of its further lines
    moved: int  # how much further to the right the map or list around it is now


class Columns:
    """The columns of all words of a text."""

    def __init__(self, places: dict[int, _Place]) -> None:
        self._places = places

    def of(self, word: Piece) -> int:
        """The column of a line that begins with this word."""
        return self._places[word.start].column

    def inside(self, word: Piece) -> int:
        """The column of further lines of a text."""
        return self._places[word.start].inside

    body = inside

    def moved(self, word: Piece) -> int:
        """By how much what is around a text has moved to the right."""
        return self._places[word.start].moved


def columns_of(text: str, pieces: Sequence[Piece]) -> Columns:
    """Where each line of a text that loaded without a problem should begin."""
    levels: list[_Level] = []
    places: dict[int, _Place] = {}
    brackets = 0
    for piece in pieces:
        top = levels[-1] if levels else None
        if piece.sort in ("map", "list"):
            levels.append(_Level(piece.sort, top.inner if top else 0, piece.column))
        elif piece.sort == "end":
            levels.pop()
        elif piece.sort == "key" and top and not brackets:
            top.items = False
        elif piece.sort == "dash" and top and top.sort == "map":
            top.items = True
        if not piece.is_word or piece.sort == "comment":
            continue
        brackets -= piece.sort == "close"
        places[piece.start] = _place(piece, levels, brackets, is_key=_is_key(pieces, piece))
        brackets += piece.sort == "open"
    _place_comments(text, pieces, places)
    return Columns(places)


def _is_key(pieces: Sequence[Piece], piece: Piece) -> bool:
    """Whether a word is the first of a key."""
    at = bisect_left(pieces, piece.start, key=lambda each: each.start)
    return any(each.sort == "key" for each in _same_place(pieces, at, piece.start))


def _same_place(pieces: Sequence[Piece], at: int, start: int) -> list[Piece]:
    end = at
    while end < len(pieces) and pieces[end].start == start:
        end += 1
    return list(pieces[at:end])


def _place(piece: Piece, levels: Sequence[_Level], brackets: int, *, is_key: bool) -> _Place:
    if not levels:
        return _Place(0, 0, 0)
    top = levels[-1]
    base = top.dash if top.items or top.sort == "list" else top.column
    moved = base - top.old
    if piece.sort == "dash":
        return _Place(top.dash, top.dash, moved)
    if brackets:
        column = base + _STEP * brackets
        return _Place(column, column + _STEP, moved)
    if piece.sort == "close":
        return _Place(base, base, moved)
    inner = base + _STEP
    return _Place(top.column if is_key else inner, inner, moved)


def _place_comments(text: str, pieces: Sequence[Piece], places: dict[int, _Place]) -> None:
    """A comment on a line of its own goes with what follows, or with what it was lined up with before."""
    seen = words(pieces)
    first = seen[:1] + [each for before, each in pairwise(seen) if "\n" in text[before.stop : each.start]]
    above = _lined_up(first)
    following: Piece | None = None
    for each in reversed(first):
        if each.sort != "comment":
            following = each
            continue
        other = following
        if other is None or other.column != each.column:
            other = above.get(each.start, following)
        column = places[other.start].column if other else 0
        places[each.start] = _Place(column, column, 0)
    for each in seen:
        places.setdefault(each.start, _Place(0, 0, 0))


def _lined_up(first: Sequence[Piece]) -> dict[int, Piece]:
    """For comments: the nearest line above that began in the same column, within what is not yet over."""
    found = {}
    around: list[Piece] = []  # what is not yet over, each further to the right than the one before
    for each in first:
        at = bisect_left(around, each.column, key=lambda one: one.column)
        if each.sort != "comment":
            around[at:] = [each]
        elif at < len(around) and around[at].column == each.column:
            found[each.start] = around[at]
    return found
