"""The simulation: one run of a cluster through some events, from event to event, in hours.

Faults and preemptions are exponential, so between two events nothing needs to be remembered of them. The
progress of a job between two events follows from the time alone: no event is spent on a checkpoint.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from random import Random

from clusterprint.whatif.queues import Queues
from clusterprint.whatif.setup import NEVER, Setup
from clusterprint.whatif.state import Cell, Hit, JobResult, PoolResult, Result, Settings, Unit, cells_of

_TINY = 1e-9


def run(setup: Setup, hits: Sequence[Hit], settings: Settings, seed: str) -> Result:
    """One run; the same seed gives the same run."""
    return _Run(setup, hits, settings, Random(seed)).result()  # noqa: S311 - nothing secret


class _Run:
    def __init__(self, setup: Setup, hits: Sequence[Hit], settings: Settings, random: Random) -> None:
        self.setup, self.hits, self.settings, self.random = setup, hits, settings, random
        self.now = 0.0
        self.on = [each for each in hits if each.is_on(0)]  # the events that last at the moment
        self.cells = [cell for at, pool in enumerate(setup.pools) for cell in cells_of(at, pool)]
        self.of_pool = [[each for each in self.cells if each.pool == at] for at in range(len(setup.pools))]
        self.queues = Queues(setup, self.of_pool)
        units = [(at, job) for at, job in enumerate(setup.jobs) for _ in range(job.units)]
        self.units = [Unit(at, job, order) for order, (at, job) in enumerate(units)]
        self.units.sort(key=lambda each: (-each.of.priority, each.order))
        self.queue: list[tuple[float, int, str, object, int, int]] = []
        self.count = 0
        for hit in hits:
            self._plan(hit.start, "starts", hit)
            self._plan(hit.end, "ends", hit)
        count = len(setup.pools)
        self.ended = [False] * count
        self.complete: list[float | None] = [None] * count
        self.fewest = [NEVER] * count
        self.demand, self.wanted = [0] * count, [0] * count
        self.missing, self.billed, self.spent, self.useful = ([0.0] * count for _ in range(4))
        self.lost = [0] * count

    def _plan(self, time: float, what: str, subject: object, epoch: int = 0, amount: int = 0) -> None:
        if time <= self.settings.length:
            self.count += 1
            heapq.heappush(self.queue, (time, self.count, what, subject, epoch, amount))

    # ---- the loop

    def result(self) -> Result:
        length = self.settings.length
        self._happen()
        while self.now < length:
            soon = min(self.queue[0][0] if self.queue else length, length)
            chances = list(self._chances())
            total = sum(rate for rate, _, _ in chances)
            wait = self.random.expovariate(total) if total else NEVER
            if self.now + wait < soon:
                self._advance(self.now + wait)
                self._strike(chances, total)
                self._settle()
            else:
                self._advance(soon)
                if self.now < length:
                    self._happen()
        for unit in self.units:
            if unit.state == "running":
                self._close(unit, over=True)
        return self._sums()

    def _advance(self, to: float) -> None:
        hours = to - self.now
        for at, pool in enumerate(self.setup.pools):
            up = sum(len(each.up) for each in self.of_pool[at])
            factor = math.prod(hit.factor for hit in self.on if hit.factor != 1 and at in hit.pools)
            reserved = pool.model == "reservation" and not self.ended[at]
            self.spent[at] += (pool.most if reserved else up) * hours * (pool.price or 0) * factor
            self.billed[at] += (pool.most if reserved else up) * hours
            self.missing[at] += max(self.demand[at] - up, 0) * hours
            if self.complete[at] is not None or self.now >= self.settings.boot - _TINY:
                self.fewest[at] = min(self.fewest[at], up)
        self.now = to

    def _happen(self) -> None:
        """Everything that is planned for now."""
        self.on = [each for each in self.hits if each.is_on(self.now + _TINY)]
        while True:
            while self.queue and self.queue[0][0] <= self.now + _TINY:
                _, _, what, subject, epoch, amount = heapq.heappop(self.queue)
                getattr(self, f"_{what}")(subject, epoch, amount)
            self._settle()
            if not (self.queue and self.queue[0][0] <= self.now + _TINY):
                return

    # ---- what is planned

    def _starts(self, hit: Hit, _epoch: int, _amount: int) -> None:
        if hit.kind == "reservation_end":
            for at in hit.pools:
                self.ended[at] = True
        for cell in self._cells_of(hit):
            if hit.kind in ("zone_outage", "reservation_end"):
                while cell.up:
                    self._lose(cell)
            if self._is_blocked(cell):
                cell.pending = 0
                cell.epoch += 1

    def _ends(self, hit: Hit, _epoch: int, _amount: int) -> None:
        """Only a time to look again."""

    def _arrive(self, cell: Cell, epoch: int, amount: int) -> None:
        if epoch != cell.epoch:
            return
        cell.pending -= amount
        longest = self.setup.pools[cell.pool].longest
        cell.up += [self.now + longest] * amount
        if longest < NEVER:
            self._plan(self.now + longest, "expire", cell)

    def _expire(self, cell: Cell, _epoch: int, _amount: int) -> None:
        cell.up.sort(reverse=True)
        while cell.up and cell.up[-1] <= self.now + _TINY:
            self._lose(cell)

    def _finish(self, unit: Unit, epoch: int, _amount: int) -> None:
        if epoch == unit.epoch and unit.state == "running":
            self._close(unit, over=True)

    # ---- what is not

    def _chances(self) -> Iterator[tuple[float, Hit, list[Cell]]]:
        for hit in self.on:
            if hit.rate:
                cells = [each for each in self._cells_of(hit) if each.up]
                if hit.shared:
                    yield (hit.rate[0] if cells else 0), hit, cells
                else:
                    yield sum(len(each.up) * hit.rate[each.pool] for each in cells), hit, cells

    def _strike(self, chances: Sequence[tuple[float, Hit, list[Cell]]], total: float) -> None:
        """One node is lost: of which event, and in which cell, by their rates."""
        draw = self.random.random() * total
        for rate, hit, cells in chances:
            if draw < rate:
                weights = [len(each.up) * (1 if hit.shared else hit.rate[each.pool]) for each in cells]
                cell = self.random.choices(cells, weights)[0]
                chosen = self.random.randrange(len(cell.up))
                cell.up[chosen], cell.up[-1] = cell.up[-1], cell.up[chosen]
                self._lose(cell, preempted=hit.kind == "preemption")
                return
            draw -= rate

    def _lose(self, cell: Cell, *, preempted: bool = False) -> None:
        """The last node of a cell is lost, and with it, by chance, the unit that ran there."""
        draw = self.random.randrange(len(cell.up)) if len(cell.used) != 1 or cell.free else 0
        cell.up.pop()
        self.lost[cell.pool] += 1
        pool = self.setup.pools[cell.pool]
        if not (pool.resumed if preempted else pool.replaced):
            cell.fixed = max(cell.fixed - 1, 0)
            cell.most = max(cell.most - 1, 0)
        for unit, nodes in cell.used.items():
            if draw < nodes:
                self._interrupt(unit)
                return
            draw -= nodes

    def _cells_of(self, hit: Hit) -> list[Cell]:
        return [
            each
            for each in self.cells
            if each.pool in hit.pools and (hit.zones is None or each.zone in hit.zones)
        ]

    def _is_blocked(self, cell: Cell) -> bool:
        """Whether no node can be made there now."""
        return self.ended[cell.pool] or any(
            hit.kind in ("stock_out", "zone_outage")
            and cell.pool in hit.pools
            and (hit.zones is None or cell.zone in hit.zones)
            for hit in self.on
        )

    # ---- work

    def _interrupt(self, unit: Unit, *, counts: bool = True) -> None:
        """A unit stops: what it has not saved is thrown away; with `counts`, it was one of its attempts."""
        self._close(unit, over=False)
        unit.interruptions += 1
        if not counts:
            unit.starts -= 1
        elif unit.starts >= unit.of.attempts:
            unit.state, unit.failed = "over", True

    def _close(self, unit: Unit, *, over: bool) -> None:
        """The end of a stretch of work, which counts as far as it is saved; all of it if it is `over`."""
        settings, elapsed = self.settings, max(self.now - unit.since, 0)
        cycle = settings.every + settings.takes
        if unit.of.keeps == "all":
            done = kept = elapsed
        else:
            cycles = math.floor(elapsed / cycle + _TINY)
            kept = cycles * settings.every
            done = kept + min(max(elapsed - cycles * cycle, 0), settings.every)
        kept = min(done, unit.of.hours - unit.saved) if over else kept
        unit.saved += kept
        unit.thrown += 0 if over else done - kept
        for cell, nodes in unit.cells:
            self.useful[cell.pool] += kept * nodes
            del cell.used[unit]
            cell.busy -= nodes
        unit.cells = []
        unit.epoch += 1
        unit.state = "over" if over else "waiting"

    def _begin(self, unit: Unit, found: list[tuple[Cell, int]]) -> None:
        settings = self.settings
        unit.cells, unit.state = found, "running"
        for cell, nodes in found:
            cell.used[unit] = nodes
            cell.busy += nodes
        unit.since = self.now + (settings.restart if unit.interruptions else 0)
        unit.starts += 1
        if unit.of.hours < NEVER:
            left = unit.of.hours - unit.saved
            pauses = max(math.ceil(left / settings.every - _TINY) - 1, 0) * settings.takes
            self._plan(
                unit.since + left + (0 if unit.of.keeps == "all" else pauses), "finish", unit, unit.epoch
            )

    # ---- what follows from a change

    def _settle(self) -> None:
        self._ask()
        if all(any(cell.up for cell in self.of_pool[at]) for at in self.setup.controllers):
            for unit in self.units:
                if unit.state == "waiting":
                    self._try(unit)
        for cell in self.cells:
            surplus = min(len(cell.up) - cell.wanted, cell.free)
            if self.setup.pools[cell.pool].elastic and surplus > 0:
                del cell.up[-surplus:]
        for at, cells in enumerate(self.of_pool):
            self.wanted[at] = max(self.wanted[at], self.demand[at])
            up = sum(len(each.up) for each in cells)
            if self.complete[at] is None and up >= max(self.demand[at], 1):
                self.complete[at], self.fewest[at] = self.now, up

    def _ask(self) -> None:
        """Ask for the nodes that are wanted and missing."""
        demand = self._demanded() if any(each.elastic for each in self.setup.pools) else []
        for at, pool in enumerate(self.setup.pools):
            cells = self.of_pool[at]
            limit = self._limit(at)
            if pool.elastic:
                self.demand[at] = demand[at]
                self._spread(cells, min(demand[at], limit))
            else:
                self.demand[at] = pool.most
                for cell in cells:
                    cell.wanted = cell.fixed
            there = sum(len(each.up) + each.pending for each in cells)
            for cell in cells:
                asked = min(cell.wanted - len(cell.up) - cell.pending, limit - there)
                if asked > 0 and not self._is_blocked(cell):
                    cell.pending += asked
                    there += asked
                    self._plan(self.now + self._delay(at), "arrive", cell, cell.epoch, asked)

    def _delay(self, at: int) -> float:
        boot = self.settings.boot
        refills = [hit.refill for hit in self.on if hit.refill and at in hit.pools]
        return max([boot, *refills]) if self.lost[at] else boot

    def _limit(self, at: int) -> int:
        """The most nodes that the quota allows."""
        most = self.setup.pools[at].most
        cuts = [hit.share for hit in self.on if hit.kind == "quota_cut" and at in hit.pools]
        return math.floor(most * min(cuts, default=1) + _TINY)

    def _demanded(self) -> list[int]:
        """How many nodes the jobs want of each pool: of the first one that can have them."""
        demand = [0] * len(self.of_pool)
        for unit in self.units:
            if unit.state == "running":
                for cell, nodes in unit.cells:
                    demand[cell.pool] += nodes
        for unit in self.units:
            left = unit.of.nodes if unit.state == "waiting" else 0
            if left > sum(self.queues.room(unit.of.queue, at) for at in unit.of.pools):
                continue  # its queue keeps it waiting, and no nodes are asked for
            # First where nodes are to be had at once, then where they take longer than usual to come.
            for patient in (False, True):
                for at in unit.of.pools:
                    short = self._delay(at) > self.settings.boot and not patient
                    able = sum(
                        len(each.up) if short or self._is_blocked(each) else each.most
                        for each in self.of_pool[at]
                    )
                    taken = min(left, max(min(able, self._limit(at)) - demand[at], 0))
                    demand[at] += taken
                    left -= taken
            if left and unit.of.pools:
                demand[unit.of.pools[0]] += left  # nothing has room: it waits for the one that it likes best
        return [max(each, pool.least) for each, pool in zip(demand, self.setup.pools, strict=True)]

    def _spread(self, cells: Sequence[Cell], wanted: int) -> None:
        for cell in cells:
            cell.wanted = min(len(cell.up) + cell.pending, wanted, cell.most)
            wanted -= cell.wanted
        while wanted > 0:
            able = [each for each in cells if each.wanted < each.most and not self._is_blocked(each)]
            if not able:
                return
            share = max(wanted // len(able), 1)
            for cell in able:
                more = min(share, wanted, cell.most - cell.wanted)
                cell.wanted += more
                wanted -= more

    def _try(self, unit: Unit) -> None:
        """Start a unit if its nodes are free, or if those of less important units make them so."""
        found = self._room(unit)
        if found is None and unit.of.queue:
            for victim in self.queues.victims(unit, self.units):
                self._interrupt(victim, counts=False)
                if (found := self._room(unit)) is not None:
                    break
        if found is not None:
            self._begin(unit, found)

    def _room(self, unit: Unit) -> list[tuple[Cell, int]] | None:
        found: list[tuple[Cell, int]] = []
        left = unit.of.nodes
        for at in unit.of.pools:
            room = self.queues.room(unit.of.queue, at)
            for cell in self.of_pool[at]:
                taken = int(min(cell.free, left, room))
                if taken > 0:
                    found.append((cell, taken))
                    left -= taken
                    room -= taken
        return None if left else found

    # ---- sums

    def _sums(self) -> Result:
        worked = {at for job in self.setup.jobs for at in job.pools}
        pools = []
        for at in range(len(self.of_pool)):
            up = sum(len(each.up) for each in self.of_pool[at])
            idle = 1 - min(self.useful[at] / self.billed[at], 1) if self.billed[at] else 0
            wasted = self.spent[at] * idle if at in worked else 0
            fewest = int(min(self.fewest[at], up))
            pools.append(
                PoolResult(
                    self.wanted[at],
                    self.complete[at],
                    self.missing[at],
                    fewest,
                    up,
                    self.lost[at],
                    self.spent[at],
                    wasted,
                )
            )
        jobs = []
        for at in range(len(self.setup.jobs)):
            units = [each for each in self.units if each.job == at]
            jobs.append(
                JobResult(
                    sum(each.saved for each in units),
                    sum(each.thrown for each in units),
                    sum(each.interruptions for each in units),
                    sum(each.failed for each in units),
                )
            )
        return Result(tuple(pools), tuple(jobs))
