"""Nodes to plain data: aliases are written out, and every place gets its spans.

Recursion is safe here: composing has refused anything deeper than the limit.
"""

from typing import Any, NamedTuple

from clusterprint.document import Place, Written
from clusterprint.load.nodes import ListNode, MapNode, Node


class Expanded(NamedTuple):
    """Data, where each part of it is written, and the places that hold a stand-in."""

    data: Any
    written: dict[Place, Written]
    broken: frozenset[Place]


def expand(root: MapNode) -> Expanded:
    """The data of a whole file."""
    written: dict[Place, Written] = {}
    broken: set[Place] = set()
    # The root has no key; what is missing at the top is shown at the first key.
    first = next(iter(root.entries.values()), None)
    written[()] = Written(first.key if first else root.span, root.span, None)

    def value_of(node: Node, place: Place) -> Any:
        if node.broken:
            broken.add(place)
        if isinstance(node, MapNode):
            return {
                key: entry_of(entry.key, entry.value, (*place, key)) for key, entry in node.entries.items()
            }
        if isinstance(node, ListNode):
            return [entry_of(item.span, item, (*place, index)) for index, item in enumerate(node.items)]
        return node.value

    def entry_of(key: Any, node: Node, place: Place) -> Any:
        # A value that was left out begins wherever the next thing does: its key stands for it.
        value = node.span if node.span[:2] != node.span[2:] else key
        written[place] = Written(key, value, getattr(node, "plain", None))
        return value_of(node, place)

    return Expanded(value_of(root, ()), written, frozenset(broken))
