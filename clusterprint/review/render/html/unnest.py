"""Machines do not stand inside networks: a cluster stands beside its network, joined to it by lines."""

from collections.abc import Mapping

from msgspec.structs import replace

from clusterprint.review.model import Box, Diagram, Link

_MACHINES = ("cluster", "pool")


def unnest(diagram: Diagram) -> Diagram:
    """Take clusters and pools out of what is none, and draw a line instead, unless there is one already."""
    by_id = {box.id: box for box in diagram.boxes}
    boxes = [replace(box, inside=_place(box, by_id)) for box in diagram.boxes]
    joined = {frozenset(pair) for link in diagram.links for pair in _around(link, by_id)}
    lines = [
        Link(start=box.id, end=old.inside, text="", status=box.status)
        for old, box in zip(diagram.boxes, boxes, strict=True)
        if old.inside in by_id and box.inside != old.inside and frozenset((box.id, old.inside)) not in joined
    ]
    return Diagram(boxes=tuple(boxes), links=(*diagram.links, *lines))


def _place(box: Box, by_id: Mapping[str, Box]) -> str:
    """Where a box stands: for machines, the nearest machines around them."""
    if box.sort not in _MACHINES:
        return box.inside
    return next((each.id for each in _outwards(box, by_id)[1:] if each.sort in _MACHINES), "")


def _outwards(box: Box, by_id: Mapping[str, Box]) -> list[Box]:
    """A box, and those around it from the inside out."""
    chain = [box]
    while (around := by_id.get(chain[-1].inside)) and around not in chain:
        chain.append(around)
    return chain


def _around(link: Link, by_id: Mapping[str, Box]) -> list[tuple[str, str]]:
    """The boxes that a line joins, with all that contain them."""
    if link.start not in by_id or link.end not in by_id:
        return []
    starts, ends = (_outwards(by_id[each], by_id) for each in (link.start, link.end))
    return [(start.id, end.id) for start in starts for end in ends]
