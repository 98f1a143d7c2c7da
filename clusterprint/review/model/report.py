"""The report: the verdict, and everything that it rests on."""

from typing import Literal

from clusterprint.catalog import CapacityModel
from clusterprint.review.model.clusters import Change, Cluster, Counts, Piece, Place
from clusterprint.review.model.terms import Level, RiskSort, Severity

#: Version of the JSON form: raised when a key goes or changes its meaning, not when one is added.
FORMAT = 2


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
    """The cost of one sort of machine, or of a file system, disk or share, in one cluster.

    US dollars per hour for all of the row, at the most that autoscaling allows. `price` is that of one, by
    the list of `region`, from `source` as of `date`; `why` says why it is not the list of the region that
    they are in. None is unknown: sorts without a list price have no row.
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
    """Indicative cost of machines and of what stores their data, in US dollars.

    `per_hour` and `per_month` (730 hours) are the change; None if something without a list price is part of
    it, or clusters that could not be compared. Then `known_per_hour` is the change of the others.
    `without_price` names all that have no list price, changed or not: machine type and model; `not_compared`
    the clusters of which nothing is known.
    """

    rows: tuple[CostRow, ...] = ()
    per_hour: float | None = 0.0
    per_month: float | None = 0.0
    known_per_hour: float = 0.0
    currency: str = "USD"
    without_price: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()
    note: str = ""


class QuotaRow(Piece, frozen=True, kw_only=True):
    """How much of a quota the clusters ask for, before and after, at the most that autoscaling allows.

    `owner` is the project or subscription, empty where it is not known. `metric` is what to ask for, in
    Google's API or Azure's, narrowed down by `dimension` (`gpu_family=NVIDIA_H200`). What runs on
    reservations is not counted: it was, when the reservation was made.
    """

    owner: str
    region: str
    metric: str
    dimension: str
    unit: str
    before: int
    after: int


class ScenarioRow(Piece, frozen=True, kw_only=True):
    """A loss by a scenario of `what-if` in one cluster, before and after; None: there was no cluster."""

    cluster: str
    scenario: str
    measure: str
    before: float | None
    after: float


class ProofRow(Piece, frozen=True, kw_only=True):
    """The evidence that a cluster was created in a real cloud; all but the cluster is empty without any.

    `proven` are the stacks that are still as they were proven, by their part in the cluster, `changed` those
    that are not. `day` is when the proof ended, `key` the beginning of the checksum of the
    signing key, or the workflow whose identity signed it.
    """

    cluster: str
    evidence: str = ""
    day: str = ""
    key: str = ""
    proven: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class Risk(Piece, frozen=True, kw_only=True):
    """Something to think about before merging; worst first in the report.

    `name` is the stable word that a policy speaks of (`bucket_removed`, `open_to_internet`), and so are its
    `groups` (`data_lost`). `help` says what to do, `addresses` which resources it is about.
    """

    severity: Severity
    sort: RiskSort
    name: str
    groups: tuple[str, ...] = ()
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
    """The policy's verdict on the change.

    `rule` is the key of the policy, `file` and `line` are where it stands. `allowed_by` is what was given
    with --allow, if that lifts the rule; else the finding forbids the change. `allowed_with` is the label
    that says so, empty without one. `risk` is the position of the
    risk that it is about, None for a limit. `place` is the line of the blueprint that does not meet what
    the policy expects.
    """

    file: str
    rule: str
    message: str
    help: str
    line: int
    column: int
    allowed_by: str = ""
    allowed_with: str = ""
    addresses: tuple[str, ...] = ()
    risk: int | None = None
    place: Place | None = None


class Policy(Piece, frozen=True, kw_only=True):
    """The policies that judged the change, and their findings.

    `files` are the policies, the farthest from the blueprints first; none if no policy judged. `version`
    is the side that they were read from, as it was named. `changed` are policies that the change itself
    adds, changes or removes, in a sentence each: they do not judge it.
    """

    files: tuple[str, ...] = ()
    version: str = ""
    findings: tuple[PolicyFinding, ...] = ()
    allowed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class Check(Piece, frozen=True, kw_only=True):
    """A check or a condition of Terraform that did not pass."""

    stack: str
    address: str
    status: str
    messages: tuple[str, ...]


class PlannedStep(Piece, frozen=True, kw_only=True):
    """The action of a Terraform plan on one resource.

    Steps with the same `digest` do the same, but for values that Terraform marks as sensitive, which are not
    part of it: an approval has the checksum of what Terraform reads beside it.
    """

    address: str
    actions: tuple[str, ...]
    digest: str


class Source(Piece, frozen=True, kw_only=True):
    """The source of the report: a comparison of two synthesized sides, or a Terraform plan.

    `base` and `head` are as they were named (`main`, a folder, `work tree`), with the short commit where
    there is one; a plan has its file name in `head`, and its `steps`.
    """

    sort: Literal["synthesized", "terraform plan"]
    base: str
    head: str
    note: str = ""
    steps: tuple[PlannedStep, ...] = ()


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
    quota: tuple[QuotaRow, ...] = ()
    scenarios: tuple[ScenarioRow, ...] = ()
    proofs: tuple[ProofRow, ...] = ()
    risks: tuple[Risk, ...]
    policy: Policy
    clusters: tuple[Cluster, ...]
    drift: tuple[Change, ...]
    checks: tuple[Check, ...]
    problems: tuple[Problem, ...]
    commands: tuple[str, ...]
    notes: tuple[str, ...]
