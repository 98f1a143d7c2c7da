"""The state of a run and its outcome: events, nodes by zone, and units of jobs."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from clusterprint.whatif.setup import NEVER, Job, Pool

Kind = Literal[
    "stock_out", "zone_outage", "preemption", "reservation_end", "quota_cut", "node_fault", "price_change"
]


class Hit(NamedTuple):
    """An event on some pools (indexes) in some zones (None: all), from `start` to `end`.

    `rate` is how many nodes are lost per hour and node, or with `shared`, per hour of all nodes together.
    `share` of the nodes is left by a cut of quota; `refill` is how long a lost node takes to come back;
    `factor` multiplies prices.
    """

    kind: Kind
    pools: frozenset[int]
    zones: frozenset[str] | None = None
    start: float = 0
    end: float = NEVER
    rate: tuple[float, ...] = ()
    shared: bool = False
    share: float = 1
    refill: float | None = None
    factor: float = 1

    def is_on(self, now: float) -> bool:
        """Whether it lasts at a time."""
        return self.start <= now < self.end


class Settings(NamedTuple):
    """Times in hours: of a run, until a node is there, until a job computes again, and of checkpoints."""

    length: float
    boot: float
    restart: float
    every: float
    takes: float


class PoolResult(NamedTuple):
    """The outcome of a pool. `complete` is when all its nodes were first there; None: never.

    `wanted` is the most that was wanted at a time. `missing` are the node-hours that were wanted and not
    there, `fewest` is counted from the moment when it was complete, or the first nodes could be there.
    """

    wanted: int
    complete: float | None
    missing: float
    fewest: int
    last: int
    lost: int
    spent: float
    wasted: float


class JobResult(NamedTuple):
    """The outcome of a job: hours of work of all its units that count, and that were thrown away.

    `failed` are the units that were given up after all their attempts.
    """

    useful: float
    thrown: float
    interruptions: int
    failed: int


class Result(NamedTuple):
    """One run."""

    pools: tuple[PoolResult, ...]
    jobs: tuple[JobResult, ...]


class Cell:
    """The nodes of a pool in one zone: for each that is up, when its run time ends."""

    def __init__(self, pool: int, zone: str, fixed: int, most: int) -> None:
        self.pool, self.zone, self.fixed, self.most = pool, zone, fixed, most
        self.up: list[float] = []
        self.wanted = self.pending = self.epoch = self.busy = 0
        self.used: dict[Unit, int] = {}

    @property
    def free(self) -> int:
        """The nodes that no unit uses."""
        return len(self.up) - self.busy


class Unit:
    """A part of a job that runs as a whole; `since` is when it computes (again)."""

    def __init__(self, job: int, of: Job, order: int) -> None:
        self.job, self.of, self.order = job, of, order
        self.state: Literal["waiting", "running", "over"] = "waiting"
        self.since = self.saved = self.thrown = 0.0
        self.epoch = self.starts = self.interruptions = 0
        self.failed = False
        self.cells: list[tuple[Cell, int]] = []


def cells_of(at: int, pool: Pool) -> Iterator[Cell]:
    """The nodes of a pool by zone: evenly, or as they come if they may be in any."""
    for index, zone in enumerate(pool.zones):
        share = pool.most // len(pool.zones) + (index < pool.most % len(pool.zones))
        yield Cell(at, zone, share, pool.most if pool.movable else share)
