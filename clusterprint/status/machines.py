"""The nodes of a cluster, as they and their clouds speak of them; one way of asking for each kind."""

from typing import NamedTuple

#: What a node can be.
READY = "ready"
MISSING = "missing"


class Node(NamedTuple):
    """A node. `state` is `ready`, `missing` or what else it says; `since` is when it was made, or empty."""

    name: str
    group: str
    place: str
    state: str
    detail: str = ""
    since: str = ""


class Job(NamedTuple):
    """Something that runs in a cluster, and what its controller says of it."""

    kind: str
    name: str
    namespace: str
    state: str
    message: str = ""


class Machines(NamedTuple):
    """All nodes of a cluster and what runs on them. `wanted` is how many nodes there have to be at least.

    `unknown` says what could not be asked.
    """

    wanted: int
    nodes: tuple[Node, ...] = ()
    jobs: tuple[Job, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def ready(self) -> int:
        """How many nodes are ready."""
        return sum(each.state == READY for each in self.nodes)
