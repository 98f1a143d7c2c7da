"""The nodes of a cluster, as they and their clouds speak of them; one way of asking for each kind."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

#: What a node can be.
READY = "ready"
MISSING = "missing"
POWERED_DOWN = "powered down"


class Node(NamedTuple):
    """A node. `state` is `ready`, `missing` or what else it says; `since` is when it was made, or empty.

    `idle_seconds` is how long nobody has used its GPUs, if it watches.
    `image` is what its boot disk was created from, empty if its cloud does not say.
    """

    name: str
    group: str
    place: str
    state: str
    detail: str = ""
    since: str = ""
    idle_seconds: int = 0
    image: str = ""


class Images(NamedTuple):
    """The images of nodes that are configured alike: names of nodes by image.

    `wanted` is in the blueprint: one image if it is `fixed`, else a name whose newest image new nodes boot.
    """

    wanted: str
    fixed: bool
    running: Mapping[str, tuple[str, ...]]

    @property
    def differ(self) -> bool:
        """Whether these nodes run more than one image, or another one than the blueprint names."""
        return len(self.running) > 1 or (self.fixed and any(each != self.wanted for each in self.running))


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
    images: tuple[Images, ...] = ()

    @property
    def ready(self) -> int:
        """How many nodes are ready."""
        return sum(each.state == READY for each in self.nodes)


def images_of(nodes: Iterable[tuple[str, bool, Node]]) -> tuple[Images, ...]:
    """The images of nodes, each given with the image in the blueprint, and whether that is a fixed one."""
    found: dict[tuple[str, bool], dict[str, list[str]]] = {}
    for wanted, fixed, node in nodes:
        if node.image:
            found.setdefault((wanted, fixed), {}).setdefault(node.image, []).append(node.name)
    return tuple(
        Images(wanted, fixed, {image: tuple(names) for image, names in running.items()})
        for (wanted, fixed), running in found.items()
    )
