"""Where the boxes and lines of a diagram go: the same diagram always goes the same way.

Boxes stand in columns by their sort, boxes inside boxes below each other.

It is our own: columns by type of box, once for screens and once for phones. A test in a real browser checks
that text stays in its box.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clusterprint.review.model import Box, Diagram, Link
from clusterprint.review.render.html.measure import KICKER, LINE, TEXT, TITLE, wrap

PADDING, GAP = 12.0, 12.0
_TO = " \N{RIGHTWARDS ARROW} "


class Form(NamedTuple):
    """How much room there is: the sorts that stand in each column, widths, and the room for lines."""

    columns: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    between: float
    gutter: float
    labels: bool


#: For a screen: workloads, firewalls and storage, then clusters, then networks and NAT.
BROAD = Form(
    (
        ("workload", "queue", "firewall", "address", "bucket", "storage"),
        ("cluster", "pool"),
        ("network", "subnet", "NAT"),
    ),
    (220, 290, 270),
    110,
    72,
    labels=True,
)
#: For a phone: one column, lines at its side, without labels.
SLIM = Form(
    (
        (
            *("workload", "queue", "firewall", "address", "cluster", "pool", "bucket", "storage"),
            *("network", "subnet", "NAT"),
        ),
    ),
    (300,),
    0,
    44,
    labels=False,
)


class Placed(NamedTuple):
    """A box with its place and its texts, cut into lines that fit."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    title: tuple[str, ...]
    lines: tuple[str, ...]
    column: int


class Layout(NamedTuple):
    """A diagram that can be drawn; boxes around others come first."""

    width: float
    height: float
    boxes: tuple[Placed, ...]


def arrange(diagram: Diagram, form: Form) -> Layout:
    """Give every box its place, with room for the lines between them."""
    inside = _inside(sorted(diagram.boxes, key=lambda box: _order(form).index(box.sort)))
    columns = [[box for box in inside[""] if box.sort in sorts] for sorts in form.columns]
    if len(columns) > 1:
        columns = [_untangled(boxes, columns, diagram.links, inside) for boxes in columns]
    used = [number for number, boxes in enumerate(columns) if boxes]
    widths = {number: form.widths[number] for number in used}
    tallest = max((_stack_height(columns[number], widths[number], inside) for number in used), default=0.0)
    placed: list[Placed] = []
    x = GAP
    for number in used:
        y = GAP + (tallest - _stack_height(columns[number], widths[number], inside)) / 2
        for box in columns[number]:
            put = list(_place(box, x, y, widths[number], number, inside))
            placed += put
            y += put[0].height + GAP
        x += widths[number] + form.between
    beside = any(_same_column(link, placed) for link in diagram.links)
    width = x - form.between + (form.gutter if beside else GAP)
    return Layout(max(width, GAP), tallest + 2 * GAP, tuple(placed))


def _order(form: Form) -> list[str]:
    return [sort for sorts in form.columns for sort in sorts]


def _inside(boxes: Sequence[Box]) -> dict[str, list[Box]]:
    """The boxes in each box; those in none, or in one that is not there, are in the empty one."""
    known = {box.id for box in boxes}
    found: dict[str, list[Box]] = {each: [] for each in ("", *known)}
    for box in boxes:
        found[box.inside if box.inside in known and box.inside != box.id else ""].append(box)
    return found


def _untangled(
    boxes: list[Box], columns: list[list[Box]], links: Sequence[Link], inside: Mapping[str, list[Box]]
) -> list[Box]:
    """The boxes of a column in the order of what they are connected with elsewhere: fewer lines cross."""
    mine = {each.id: box.id for box in boxes for each in _all(box, inside)}
    order = [each.id for column in columns for box in column for each in _all(box, inside)]
    elsewhere: dict[str, list[int]] = {}
    for link in links:
        for here, there in ((link.start, link.end), (link.end, link.start)):
            if here in mine and there in order and there not in mine:
                elsewhere.setdefault(mine[here], []).append(order.index(there))
    last = len(order)
    means = {each: sum(found) / len(found) for each, found in elsewhere.items()}
    return sorted(boxes, key=lambda box: means.get(box.id, last))


def _all(box: Box, inside: Mapping[str, list[Box]]) -> Iterator[Box]:
    yield box
    for each in inside[box.id]:
        yield from _all(each, inside)


def _texts(box: Box, width: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    room = width - 2 * PADDING
    title = wrap(box.title, room, TITLE * 1.06)  # bold
    return title, tuple(line for text in box.lines for line in wrap(text.replace(" -> ", _TO), room, TEXT))


def _own_height(box: Box, width: float) -> float:
    title, lines = _texts(box, width)
    return (KICKER + len(title) * TITLE + len(lines) * TEXT) * LINE + 1.5 * PADDING


def _height(box: Box, width: float, inside: Mapping[str, list[Box]]) -> float:
    own = _own_height(box, width)
    within = inside[box.id]
    return own + (_stack_height(within, width - 2 * PADDING, inside) + PADDING if within else 0)


def _stack_height(boxes: Sequence[Box], width: float, inside: Mapping[str, list[Box]]) -> float:
    return sum(_height(box, width, inside) for box in boxes) + GAP * max(len(boxes) - 1, 0)


def _place(  # noqa: PLR0913, PLR0917 - a place is what it is about
    box: Box, x: float, y: float, width: float, column: int, inside: Mapping[str, list[Box]]
) -> Iterator[Placed]:
    """A box, then everything in it."""
    title, lines = _texts(box, width)
    yield Placed(box, x, y, width, _height(box, width, inside), title, lines, column)
    y += _own_height(box, width)
    for each in inside[box.id]:
        put = list(_place(each, x + PADDING, y, width - 2 * PADDING, column, inside))
        yield from put
        y += put[0].height + GAP


def _same_column(link: Link, placed: Iterable[Placed]) -> bool:
    ends = [each.column for each in placed if each.box.id in (link.start, link.end)]
    return len(ends) == 2 and ends[0] == ends[1]  # noqa: PLR2004 - both ends
