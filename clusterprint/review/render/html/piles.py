"""Boxes that are many of the same, drawn as one: eight subnets whose names differ in a number are a pile."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from clusterprint.review.model import Box, Diagram, Link

_NUMBERED = re.compile(r"(.*?)([0-9]+)")
_FEW = 2  # so many are drawn one by one
_PLURALS = {
    "pool": "node pools",
    "address": "addresses",
    "NAT": "NAT gateways",
    "storage": "stores",
}
_DOTS = "\N{HORIZONTAL ELLIPSIS}"


class Folded(NamedTuple):
    """A diagram with piles, and how many boxes each pile stands for."""

    diagram: Diagram
    piles: dict[str, int]


def fold(diagram: Diagram) -> Folded:
    """Put what differs only in a number, and shares its fate, on one pile; from the outside in."""
    boxes = list(diagram.boxes)
    piles: dict[str, int] = {}
    stands_for: dict[str, str] = {}
    level = {"", *(box.inside for box in boxes if box.inside not in {each.id for each in boxes})}
    while level:
        siblings = [box for box in boxes if box.inside in level]
        for members in _alike(siblings):
            pile = _pile(members)
            piles[pile.id] = len(members)
            stands_for |= {box.id: pile.id for box in members}
            boxes[boxes.index(members[0])] = pile
            boxes = [box for box in boxes if box not in members]
        boxes = [_moved(box, stands_for) for box in boxes]
        level = {box.id for box in boxes if box.inside in level}
    links: dict[tuple[str, str], Link] = {}
    for link in diagram.links:
        start, end = stands_for.get(link.start, link.start), stands_for.get(link.end, link.end)
        links.setdefault((start, end), Link(start=start, end=end, text=link.text, status=link.status))
    return Folded(Diagram(boxes=tuple(boxes), links=tuple(links.values())), piles)


def _alike(siblings: Sequence[Box]) -> Iterator[list[Box]]:
    """Groups of siblings with names that differ in the last number only."""
    groups: dict[tuple[str, ...], list[Box]] = {}
    for box in siblings:
        numbered = _NUMBERED.fullmatch(box.title)
        if numbered:
            groups.setdefault((box.inside, box.sort, box.status, numbered[1]), []).append(box)
    yield from (members for members in groups.values() if len(members) > _FEW)


def _pile(members: Sequence[Box]) -> Box:
    ordered = sorted(members, key=lambda box: int(_number(box)))
    first, last = ordered[0], ordered[-1]
    sort = _PLURALS.get(first.sort, f"{first.sort}s")
    title = f"{first.title} {_DOTS} {_number(last)}"
    lines = (f"{len(members)} {sort}", *_lines(first, last))
    return replace(members[0], title=title, lines=lines)


def _number(box: Box) -> str:
    numbered = _NUMBERED.fullmatch(box.title)
    return numbered[2] if numbered else "0"


def _lines(first: Box, last: Box) -> Iterator[str]:
    """The common text once, and the differing part from the first to the last."""
    for one, other in zip(first.lines, last.lines, strict=False):
        yield one if one == other else f"{one} {_DOTS} {other}"


def _moved(box: Box, stands_for: dict[str, str]) -> Box:
    """A box that was in one that is on a pile is in the pile."""
    pile = stands_for.get(box.inside, box.inside)
    return box if pile == box.inside else replace(box, inside=pile)
