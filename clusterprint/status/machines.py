"""The nodes of a cluster, as they and their clouds speak of them; one way of asking for each kind."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

#: What a node can be.
READY = "ready"
MISSING = "missing"
POWERED_DOWN = "powered down"


class Node(NamedTuple):
    """A node. `state` is `ready`, `missing` or what else it says; `since` is when it was made, or empty.

    `idle_seconds` is how long nobody has used its GPUs, if it watches.
    """

    name: str
    group: str
    place: str
    state: str
    detail: str = ""
    since: str = ""
    idle_seconds: int = 0


class Job(NamedTuple):
    """Something that runs in a cluster, and what its controller says of it."""

    kind: str
    name: str
    namespace: str
    state: str
    message: str = ""


class OutOfService(NamedTuple):
    """Nodes of Slurm that get no jobs, as it abbreviates their names; since when, in UTC, by whom and why."""

    nodes: str
    state: str
    since: str
    user: str
    reason: str


class SlurmStatus(NamedTuple):
    """The nodes of each partition of Slurm by states, and its jobs, where each task of an array counts.

    `unknown` says why it says nothing.
    """

    partitions: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    out_of_service: tuple[OutOfService, ...] = ()
    running: int = 0
    waiting: int = 0
    unknown: str = ""


class Machines(NamedTuple):
    """All nodes of a cluster and what runs on them. `wanted` is how many nodes there have to be at least.

    Nodes that Slurm has powered down are not among those. `unknown` says what could not be asked.
    """

    wanted: int
    nodes: tuple[Node, ...] = ()
    jobs: tuple[Job, ...] = ()
    unknown: tuple[str, ...] = ()
    slurm: SlurmStatus | None = None

    @property
    def ready(self) -> int:
        """How many nodes are ready."""
        return sum(each.state == READY for each in self.nodes)
