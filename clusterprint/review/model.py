"""The report of a review: plain data that renderers lay out and decide nothing about.

Nothing secret is in a report: sensitive values are left out and what looks like a secret is masked
before anything gets here. All texts are as they are; each renderer escapes them for its own form.
Everything is in the order in which it should be shown.
"""

from typing import Literal

import msgspec

#: Version of the JSON form: raised when a key goes or changes its meaning, not when one is added.
FORMAT = 1

#: What happens to a resource. `replaced` is destroyed and created anew, `moved` only gets another
#: address in the state, `forgotten` leaves the state but stays in the cloud, `imported` enters the state.
Action = Literal["added", "changed", "removed", "replaced", "moved", "forgotten", "imported"]

#: What happens to something that is shown whether it changes or not.
Status = Literal["added", "changed", "removed", "replaced", "moved", "unchanged"]

#: How much it matters, worst first.
Severity = Literal["critical", "high", "medium", "low"]

#: What sort of harm, worst first.
RiskSort = Literal[
    "data_loss",
    "cluster_replacement",
    "pool_replacement",
    "downtime",
    "exposure",
    "protection",
    "quota",
    "state",
    "drift",
    "check",
    "uncertain",
]

Level = Literal["nothing", "problems", "allowed", "forbidden"]
CapacityModel = Literal["on_demand", "spot", "flex_start", "reservation"]
Idea = Literal[
    "cluster",
    "node pool",
    "network",
    "storage",
    "files",
    "IAM",
    "secrets",
    "registry",
    "workloads",
    "health checks",
    "services",
    "outputs",
    "other",
]


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
    """What happens to one resource, or to several that differ only in their key.

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
    sort: Literal["cluster", "pool", "network", "subnet", "bucket", "storage", "way in", "way out"]
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
    """What happens to one cluster.

    `files` are its blueprints: of the base, then of the head if that is another one; none where only a
    Terraform plan is known. `kind` is empty then. `previous_name` is set if the blueprint had another.
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
    notes: tuple[str, ...] = ()


class Amount(Piece, frozen=True, kw_only=True):
    """So many nodes and accelerators; with autoscaling from the least to the most."""

    nodes: int = 0
    most_nodes: int = 0
    accelerators: float = 0.0
    most_accelerators: float = 0.0


class Capacity(Piece, frozen=True, kw_only=True):
    """All nodes of one family under one capacity model, over all clusters, before and after.

    `family` is in people's words: `H200 141GB`, `TPU v5p`, `CPU n2`. A node without accelerators has
    `unit` node.
    """

    family: str
    unit: Literal["GPU", "TPU chip", "node"]
    model: CapacityModel
    before: Amount
    after: Amount


class CostRow(Piece, frozen=True, kw_only=True):
    """What one sort of machine costs in one cluster; None is unknown, and `why` says why.

    Dollars per hour for all machines of the row, at the most that autoscaling allows. `price` is the
    price of one piece, `source` and `date` say where it is from, `region` where it was seen.
    """

    cluster: str
    what: str
    model: CapacityModel
    before: float | None
    after: float | None
    price: float | None = None
    region: str = ""
    source: str = ""
    date: str = ""
    why: str = ""


class Cost(Piece, frozen=True, kw_only=True):
    """Indicative cost in US dollars, accelerators with their machines only.

    `per_hour` and `per_month` (730 hours) are the change; None if any row that changes is unknown. Then
    `known_per_hour` is the change of those that are known.
    """

    rows: tuple[CostRow, ...] = ()
    per_hour: float | None = 0.0
    per_month: float | None = 0.0
    known_per_hour: float = 0.0
    note: str = ""


class Risk(Piece, frozen=True, kw_only=True):
    """Something to think about before merging; worst first in the report.

    `name` is the stable word that a policy speaks of (`bucket_removed`, `open_to_internet`). `help` says
    what to do, `addresses` which resources it is about.
    """

    severity: Severity
    sort: RiskSort
    name: str
    message: str
    help: str = ""
    cluster: str = ""
    addresses: tuple[str, ...] = ()
    place: Place | None = None


class Problem(Piece, frozen=True, kw_only=True):
    """A diagnostic of validate. `side` says which version has it: the head only, the base only, or both."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    help: str
    file: str
    line: int | None
    column: int | None
    side: Literal["base", "head", "both"]


class PolicyFinding(Piece, frozen=True, kw_only=True):
    """What the policy says about the change.

    `rule` is the key of the policy, `line` where it stands in the policy file. `allowed_by` is what was
    given with --allow, if that lifts the rule; else the finding forbids the change.
    """

    rule: str
    message: str
    help: str
    line: int
    column: int
    allowed_by: str = ""
    addresses: tuple[str, ...] = ()


class Policy(Piece, frozen=True, kw_only=True):
    """The policy that was applied; an empty file name if there is none."""

    file: str = ""
    findings: tuple[PolicyFinding, ...] = ()
    allowed: tuple[str, ...] = ()


class Check(Piece, frozen=True, kw_only=True):
    """A check or a condition of Terraform that did not pass."""

    stack: str
    address: str
    status: str
    messages: tuple[str, ...]


class Source(Piece, frozen=True, kw_only=True):
    """What the report rests on: a comparison of two synthesized sides, or a Terraform plan.

    `base` and `head` are as they were named (`main`, a folder, `work tree`), with the short commit where
    there is one; a plan has its file name in `head`.
    """

    sort: Literal["synthesized", "terraform plan"]
    base: str
    head: str
    note: str = ""


class Verdict(Piece, frozen=True, kw_only=True):
    """The one line that a reviewer reads first, and the exit code of the command."""

    level: Level
    line: str
    exit_code: int
    counts: Counts


class Report(Piece, frozen=True, kw_only=True):
    """A review. `notes` say what could not be known or was left out of this report."""

    format: int = FORMAT
    verdict: Verdict
    sources: tuple[Source, ...]
    capacity: tuple[Capacity, ...]
    cost: Cost
    risks: tuple[Risk, ...]
    policy: Policy
    clusters: tuple[Cluster, ...]
    drift: tuple[Change, ...]
    checks: tuple[Check, ...]
    problems: tuple[Problem, ...]
    commands: tuple[str, ...]
    notes: tuple[str, ...]
