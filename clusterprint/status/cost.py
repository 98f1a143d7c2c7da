"""Cost of a cluster's nodes since they were created or last started, at list prices."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.derived.machine_groups import groups_of
from clusterprint.overview.facts import facts_of
from clusterprint.status.machines import Node


class Cost(NamedTuple):
    """US dollars for the nodes that run: per hour, and so far. None where no node has a price.

    `since` is when the oldest of them was made; `without_price` are groups that are not counted; `budget` is
    that of a month.
    """

    per_hour: float | None
    so_far: float | None
    since: str
    without_price: tuple[str, ...]
    budget: float | None

    @property
    def per_month(self) -> float:
        """The cost of a month at the rate of now."""
        return (self.per_hour or 0) * HOURS_OF_A_MONTH


def cost_of(blueprint: Blueprint, nodes: Sequence[Node], now: datetime) -> Cost:
    """The cost of these nodes; those that are gone, disks and traffic are not in it."""
    prices = prices_of(blueprint)
    running = [(each, when) for each in nodes if (when := moment(each.since)) is not None]
    priced = [(prices[each.group], when) for each, when in running if prices.get(each.group) is not None]
    rates = [price for price, _ in priced if price is not None]
    spent = [price * hours(when, now) for price, when in priced if price is not None]
    return Cost(
        per_hour=round(sum(rates), 2) if rates else None,
        so_far=round(sum(spent), 2) if spent else None,
        since=min(running, key=lambda each: each[1])[0].since if running else "",
        without_price=tuple(dict.fromkeys(e.group for e, _ in running if prices.get(e.group) is None)),
        budget=None if blueprint.budget is UNSET else blueprint.budget.per_month,
    )


def prices_of(blueprint: Blueprint) -> Mapping[str, float | None]:
    """The cost of one node of each group per hour."""
    found = {}
    for group in groups_of(blueprint):
        price = facts_of(group).price
        found[group.machines.name] = price.usd if price else None
    return found


def moment(text: str) -> datetime | None:
    """A time as clouds write it; None if it is none."""
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found.replace(tzinfo=found.tzinfo or UTC) if found else None


def hours(since: datetime, now: datetime) -> float:
    """How long that is ago."""
    return max(0.0, (now - since).total_seconds() / 3600)
