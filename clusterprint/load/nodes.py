"""The graph of values that a file describes, before aliases are written out."""

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, TypeAlias

from clusterprint.diagnostic import Span
from clusterprint.load.scalars import Plain


@dataclass(slots=True)
class ScalarNode:
    """A single value. `plain` is its text as written when it is not quoted.

    A `broken` node is a stand-in for something that could not be understood and has been reported.
    """

    span: Span
    value: Plain
    plain: str | None
    broken: bool = False
    size: ClassVar[int] = 1
    height: ClassVar[int] = 0


@dataclass(slots=True)
class ListNode:
    """A list. `size` counts the values in it, aliases written out; `height` the levels below it."""

    span: Span
    items: "list[Node]" = field(default_factory=list)
    broken: bool = False
    size: int = 1
    height: int = 1


@dataclass(slots=True)
class MapNode:
    """A map, merges already done."""

    span: Span
    entries: "dict[str, Entry]" = field(default_factory=dict)
    broken: bool = False
    size: int = 1
    height: int = 1


Node: TypeAlias = ScalarNode | ListNode | MapNode


class Entry(NamedTuple):
    """A value of a map and the place of its key."""

    key: Span
    value: Node
