"""Changes of a cluster: its resources, its blueprint, its drawing."""

from typing import Literal

import msgspec

from clusterprint.resource_types import Idea
from clusterprint.review.model.terms import Action, Status


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """The base of everything in a report."""


class Place(Piece, frozen=True, kw_only=True):
    """A place in a blueprint of the head side.

    Lines and columns count from 1. `key` is the path of keys in the blueprint's own words
    (`nodes.count`, `node_pools.gpu.machine_type`), empty for the blueprint as a whole. With `side`
    base, the place is only there in the earlier version.
    """

    file: str
    line: int
    column: int
    key: str
    side: Literal["base", "head"] = "head"


class Cause(Piece, frozen=True, kw_only=True):
    """A difference between two versions of a blueprint; an empty text means that the key is not there."""

    place: Place
    before: str
    after: str


class Value(Piece, frozen=True, kw_only=True):
    """One side of a changed argument. `text` is empty unless the state is `known`."""

    state: Literal["known", "absent", "unknown", "sensitive"]
    text: str = ""


class DiffLine(Piece, frozen=True, kw_only=True):
    """A line of a changed text; `gap` stands for lines that did not change."""

    sign: Literal["same", "added", "removed", "gap"]
    text: str


class ValueChange(Piece, frozen=True, kw_only=True):
    """One argument, before and after.

    `path` is shortened: a block that occurs once has no position. A change of a long text (a start-up
    script, cloud-init) has a `diff` instead of values.
    """

    path: str
    before: Value
    after: Value
    diff: tuple[DiffLine, ...] = ()


class Forcing(Piece, frozen=True, kw_only=True):
    """An argument that cannot be changed in place, and how that is known."""

    path: str
    source: str


class Change(Piece, frozen=True, kw_only=True):
    """The change of one resource, or of several that differ only in their key.

    `address` is without a key if there are several; `instances` are all full addresses. `previous_address`
    is set for a moved one. `create_first` says that a replacement comes before the old one goes.
    `causes` are positions in the cluster's `causes`. `place` is where the blueprint asks for it.
    `reason` is a sentence about why, where there is more to say than the values.
    """

    action: Action
    stack: str
    address: str
    type: str
    title: str
    instances: tuple[str, ...]
    previous_address: str = ""
    values: tuple[ValueChange, ...] = ()
    forced_by: tuple[Forcing, ...] = ()
    create_first: bool = False
    reason: str = ""
    place: Place | None = None
    causes: tuple[int, ...] = ()


class Counts(Piece, frozen=True, kw_only=True):
    """How many resources each thing happens to. A replaced one is in `replaced` only."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    replaced: int = 0
    moved: int = 0
    forgotten: int = 0
    imported: int = 0


class Group(Piece, frozen=True, kw_only=True):
    """The changes of one idea in one cluster; `name` tells several node pools or buckets apart."""

    idea: Idea
    name: str
    status: Status
    changes: tuple[Change, ...]


class Box(Piece, frozen=True, kw_only=True):
    """A thing in the diagram of a cluster. `inside` is the id of the box around it, or empty."""

    id: str
    sort: Literal[
        "cluster", "pool", "network", "subnet", "bucket", "storage", "firewall", "address", "NAT",
        "queue", "workload",
    ]  # fmt: skip
    title: str
    lines: tuple[str, ...]
    status: Status
    inside: str = ""


class Link(Piece, frozen=True, kw_only=True):
    """A line between two boxes, by their ids."""

    start: str
    end: str
    text: str
    status: Status


class Diagram(Piece, frozen=True, kw_only=True):
    """A cluster as boxes and lines; what goes away is in it, with status `removed`."""

    boxes: tuple[Box, ...] = ()
    links: tuple[Link, ...] = ()


class OutputChange(Piece, frozen=True, kw_only=True):
    """An output of a stack, before and after."""

    stack: str
    name: str
    before: Value
    after: Value


class Cluster(Piece, frozen=True, kw_only=True):
    """The change of one cluster.

    `files` are its blueprints: of the base, then of the head if that is another one; none where only a
    Terraform plan is known. `kind` is empty then. `previous_name` is set if the blueprint had another.
    Unless `is_compared`, one version could not be read: nothing is counted, and a lot may happen.
    """

    name: str
    kind: str
    status: Status
    files: tuple[str, ...]
    stacks: tuple[str, ...]
    counts: Counts
    causes: tuple[Cause, ...]
    groups: tuple[Group, ...]
    outputs: tuple[OutputChange, ...]
    diagram: Diagram
    previous_name: str = ""
    is_compared: bool = True
    notes: tuple[str, ...] = ()
