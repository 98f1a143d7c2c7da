"""One line of a file with marks below it."""

from collections.abc import Sequence
from typing import NamedTuple

from clusterprint.diagnostic import Span
from clusterprint.render.visible import TAB, shown, width

# Columns that a source line may take. Not the terminal's: the same problem looks the same everywhere.
ROOM = 110
# What stays visible to the left and right of a mark on a line that is cut.
_AROUND = 25
_CUT = "..."
# Characters of a line that are looked at; what is longer (a file in one line) is cut beforehand.
_FAR = 1000


class Mark(NamedTuple):
    """A stretch of a line to point at, the sign to draw (`^` or `-`), and a few words beside it."""

    span: Span
    sign: str
    text: str


class Row(NamedTuple):
    """A row of marks: the columns to leave free, the marks themselves, the words beside them."""

    indent: int
    mark: Mark
    length: int


class Excerpt(NamedTuple):
    """A line as it is shown, and a row for each mark below it."""

    line: str
    rows: list[Row]


def excerpts(line: str, marks: Sequence[Mark]) -> list[Excerpt]:
    """The line with its marks; shown several times when it is cut and the marks lie far apart."""
    if len(line) > _FAR:
        return [_far_excerpt(line, mark) for mark in marks]
    edges = _edges(line)
    groups: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda mark: mark.span.column):
        end = _stretch(mark, edges)[1]
        if groups and (edges[-1] <= ROOM or end - _stretch(groups[-1][0], edges)[0] <= ROOM - 2 * _AROUND):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return [_excerpt(line, edges, group) for group in groups]


def clipped(line: str) -> str:
    """A line without marks, cut on the right when it is long."""
    start = Mark(Span(1, 1, 1, 2), "-", "")
    return excerpts(line, [start])[0].line


def _far_excerpt(line: str, mark: Mark) -> Excerpt:
    """An excerpt of the neighbourhood of a mark."""
    skipped = max(min(mark.span.column - 1, len(line)) - 2 * ROOM, 0)
    piece = line[skipped : skipped + 4 * ROOM]
    line_number, column, end_line, end_column = mark.span
    near = mark._replace(span=Span(line_number, column - skipped, end_line, max(end_column - skipped, 1)))
    return _excerpt(piece, _edges(piece), [near])


def _edges(line: str) -> list[int]:
    """The column at which each character starts, as shown, and the end of the last."""
    edges = [0]
    for character in line:
        edges.append(edges[-1] + (len(TAB) if character == "\t" else width(character)))
    return edges


def _stretch(mark: Mark, edges: list[int]) -> tuple[int, int]:
    """First and last column of a mark; at least one column, and to the end of the line for long ones."""
    last = len(edges) - 1
    first = min(mark.span.column - 1, last)
    after = last if mark.span.end_line > mark.span.line else min(mark.span.end_column - 1, last)
    return edges[first], max(edges[after], edges[first] + 1)


def _excerpt(line: str, edges: list[int], marks: list[Mark]) -> Excerpt:
    first, last = _window(edges, marks)
    before = _CUT if first > 0 else ""
    after = _CUT if last < len(line) else ""
    text = "".join(TAB if character == "\t" else shown(character) for character in line[first:last])
    shift = len(before) - edges[first]
    rows = []
    # The main mark comes first, then the others in their order.
    for mark in sorted(marks, key=lambda mark: mark.sign != "^"):
        start, end = _stretch(mark, edges)
        start, end = min(start, edges[last]), min(end, edges[last])
        rows.append(Row(start + shift, mark, max(end - start, 1)))
    return Excerpt(f"{before}{text}{after}", rows)


def _window(edges: list[int], marks: list[Mark]) -> tuple[int, int]:
    """First and last character to show."""
    if edges[-1] <= ROOM:
        return 0, len(edges) - 1
    start = min(_stretch(mark, edges)[0] for mark in marks)
    left = max(start - _AROUND, 0)
    # Close to the end there is more to see on the left.
    left = min(left, max(edges[-1] - ROOM, 0))
    first = next(index for index, edge in enumerate(edges) if edge >= left)
    inside = [index for index, edge in enumerate(edges) if edge <= edges[first] + ROOM]
    return first, max(inside[-1], first)
