"""The text between two words of one line: nothing, one space, or the original."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from clusterprint.fmt.pieces import Edit, Piece, words


def between(text: str, pieces: Sequence[Piece]) -> Iterator[Edit]:
    """The edits within lines."""
    for one, other in pairwise(words(pieces)):
        gap = text[one.stop : other.start]
        if "\n" in gap or gap.strip():
            continue
        space = _space(one.sort, other.sort, gap)
        if space != gap:
            yield Edit(one.stop, other.start, space)


def _space(one: str, other: str, gap: str) -> str:
    if other == "comment":
        # Comments that are lined up stay so.
        return gap if len(gap) > 1 and "\t" not in gap else "  "
    if one == "colon":
        return gap if other in ("comma", "close") else " "
    if one == "open" or other in ("close", "comma"):
        return ""
    if other == "colon":
        return gap if one in ("alias", "anchor", "open", "comma") else ""
    return " "
