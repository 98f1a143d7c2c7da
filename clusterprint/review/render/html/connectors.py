"""The lines of a diagram: from which side of a box to which of another, on which way, and their labels."""

from collections.abc import Sequence
from typing import NamedTuple

from clusterprint.review.model import Link
from clusterprint.review.render.html.layout import Form, Placed
from clusterprint.review.render.html.measure import LABEL, LINE, text_width, wrap

_ROUND = 0.75  # how much of the way to its outer points a curve comes

Area = tuple[float, float, float, float]
Points = tuple[float, float, float, float, float, float, float, float]


class Connector(NamedTuple):
    """A line between two boxes: a curve through four points, and where its label stands."""

    link: Link
    points: Points
    label: tuple[str, ...]
    x: float
    y: float


class _End(NamedTuple):
    """Where a line meets a box: which box, which side of it."""

    box: Placed
    right: bool


class _Ends(NamedTuple):
    """A line, and where it begins and ends."""

    link: Link
    start: _End
    end: _End


def connect(links: Sequence[Link], placed: Sequence[Placed], form: Form) -> tuple[Connector, ...]:
    """Lines between boxes that have their places; links to what is not there are left out."""
    by_id = {each.box.id: each for each in placed}
    ends: list[_Ends] = []
    for link in links:
        start, end = by_id.get(link.start), by_id.get(link.end)
        if start is None or end is None or start == end:
            continue
        ends.append(
            _Ends(link, _End(start, start.column <= end.column), _End(end, end.column <= start.column))
        )
    heights, lanes = _anchors(ends), _lanes(ends, placed, form)
    taken: list[Area] = []
    wires = []
    for number, each in enumerate(ends):
        points = _way(each, heights[number, True], heights[number, False], lanes.get(number))
        x, y = (points[0] + points[2] * 3) / 4, (points[1] + points[7]) / 2
        if number not in lanes:
            x = points[2]
        label = wrap(each.link.text, form.between - 14, LABEL, 2) if form.labels else ()
        wires.append(Connector(each.link, points, *_free(label, x, y, taken)))
    return tuple(wires)


def _lanes(ends: Sequence[_Ends], placed: Sequence[Placed], form: Form) -> dict[int, float]:
    """How far out each line within a column goes: around the boxes there, the further its way the further."""
    edges: dict[int, float] = {}
    for each in placed:
        edges[each.column] = max(edges.get(each.column, 0), each.x + each.width)
    within = [
        (abs(start.box.y - end.box.y), number, edges[start.box.column])
        for number, (_, start, end) in enumerate(ends)
        if start.box.column == end.box.column
    ]
    room = form.gutter - 14
    return {
        number: edge + 8 + room * rank / len(within)
        for rank, (_, number, edge) in enumerate(sorted(within), 1)
    }


def _anchors(ends: Sequence[_Ends]) -> dict[tuple[int, bool], float]:
    """At which height each line meets its boxes: spread over the side, in the order of the other ends."""
    sides: dict[tuple[str, bool], list[tuple[float, int, bool]]] = {}
    for number, (_, start, end) in enumerate(ends):
        for mine, other, first in ((start, end, True), (end, start, False)):
            middle = other.box.y + other.box.height / 2
            sides.setdefault((mine.box.box.id, mine.right), []).append((middle, number, first))
    places = {each.box.box.id: each.box for _, start, end in ends for each in (start, end)}
    found = {}
    for (box, _), meeting in sides.items():
        place = places[box]
        for position, (_, number, first) in enumerate(sorted(meeting), 1):
            found[number, first] = place.y + place.height * position / (len(meeting) + 1)
    return found


def _way(ends: _Ends, y1: float, y2: float, lane: float | None) -> Points:
    x1 = ends.start.box.x + ends.start.box.width * ends.start.right
    x2 = ends.end.box.x + ends.end.box.width * ends.end.right
    middle = (x1 + x2) / 2
    if lane is not None:  # a curve comes only part of the way to its outer points
        middle = max(x1, x2) + (lane - max(x1, x2)) / _ROUND
    return (x1, y1, middle, y1, middle, y2, x2, y2)


def _free(
    label: tuple[str, ...], x: float, y: float, taken: list[Area]
) -> tuple[tuple[str, ...], float, float]:
    """A label at a height at which it covers no other; none, where there is no such height near by."""
    if not label:
        return (), x, y
    width, height = max(text_width(line, LABEL) for line in label), len(label) * LABEL * LINE
    for shift in (0.0, height, -height, 2 * height, -2 * height):
        area = (x - width / 2, y + shift - height / 2, x + width / 2, y + shift + height / 2)
        if not any(_overlap(area, other) for other in taken):
            taken.append(area)
            return label, x, y + shift
    return (), x, y


def _overlap(one: Area, other: Area) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
