"""Queues with quotas, as Kueue has them: who may use how many nodes, and who is preempted for whom."""

from collections.abc import Sequence

from clusterprint.whatif.setup import NEVER, Setup
from clusterprint.whatif.state import Cell, Unit


class Queues:
    """The quotas of a setup, and the use of them; `of_pool` are the cells of each pool."""

    def __init__(self, setup: Setup, of_pool: Sequence[Sequence[Cell]]) -> None:
        """Begin with nothing used."""
        self._quotas, self._policy, self._of_pool = setup.quotas, setup.preemption, of_pool

    def room(self, queue: str, at: int) -> float:
        """How many more nodes of a pool a queue may use: its own, and what others lend."""
        if not queue or not self._quotas:
            return NEVER
        own = self._quotas.get((queue, at))
        if own is None:
            return 0
        lent = sum(
            min(max(quota.own - self._used(other, at), 0), quota.lend)
            for (other, pool), quota in self._quotas.items()
            if pool == at and other != queue
        )
        mine = own.own - self._used(queue, at)
        borrowed = max(-mine, 0)
        return max(mine, 0) + max(min(own.borrow - borrowed, lent), 0)

    def victims(self, unit: Unit, units: Sequence[Unit]) -> list[Unit]:
        """The running units that may be preempted for a unit, the least important first.

        There are none if all of them together would not make room for it.
        """
        wanted = set(unit.of.pools)
        found = [
            each
            for each in reversed(units)
            if each.state == "running" and wanted & set(each.of.pools) and self._may_preempt(unit, each)
        ]
        idle = sum(cell.free for at in unit.of.pools for cell in self._of_pool[at])
        own = sum(self._left(unit.of.queue, at) for at in unit.of.pools)
        freed = sum(each.of.nodes for each in found)
        freed_in_queue = sum(each.of.nodes for each in found if each.of.queue == unit.of.queue)
        return found if idle + freed >= unit.of.nodes <= own + freed_in_queue else []

    def _used(self, queue: str, at: int) -> int:
        return sum(
            nodes for cell in self._of_pool[at] for unit, nodes in cell.used.items() if unit.of.queue == queue
        )

    def _left(self, queue: str, at: int) -> int:
        """The nodes of its own that a queue does not use; below zero, it borrows."""
        quota = self._quotas.get((queue, at))
        return quota.own - self._used(queue, at) if quota else 0

    def _may_preempt(self, unit: Unit, victim: Unit) -> bool:
        lower, policy = victim.of.priority < unit.of.priority, self._policy
        if victim.of.queue == unit.of.queue:
            newer = victim.of.priority == unit.of.priority and victim.order > unit.order
            within = policy.within_queue
            return within != "never" and (lower or (newer and within == "lower_or_newer_equal_priority"))
        borrows = any(self._left(victim.of.queue, at) < 0 for at in unit.of.pools)
        return borrows and (policy.reclaim == "any" or (policy.reclaim == "lower_priority" and lower))
