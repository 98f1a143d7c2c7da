"""The price of each wish for capacity."""

from typing import Any, NamedTuple

from clusterprint.derived.machine_groups import groups_of
from clusterprint.overview.facts import facts_of
from clusterprint.validate import Validated, alternatives
from clusterprint.wishes import Group
from clusterprint.wishes.lock import counting


class Priced(NamedTuple):
    """A wish of a group, whether it is the one that counts, and its list price per hour, if that is known."""

    group: Group
    number: int
    counts: bool
    per_hour: float | None


def priced(validated: Validated) -> list[Priced]:
    """All wishes of the groups with fallbacks, in the order of the blueprint."""
    found = [
        Priced(each.group, each.number, True, _price(validated, each.group))
        for each in counting(validated.document)
    ]
    found += [
        Priced(each.group, each.number, False, _price(each.validated, each.group))
        for each in (alternatives(validated.document) if found else ())
    ]
    return sorted(found, key=lambda each: (each.group.place, each.number))


def _price(validated: Validated, group: Group) -> float | None:
    found = groups_of(validated.blueprint) if validated.blueprint else []
    for each in found:
        price = facts_of(each).price if each.place == group.place else None
        if price:
            return round(each.machines.most * price.usd, 2)
    return None


def as_data(wishes: list[Priced]) -> list[dict[str, Any]]:
    """The same for tools."""
    return [
        {
            "group": each.group.name,
            "wish": each.number + 1,
            "capacity": dict(each.group.wishes[each.number]),
            "counts": each.counts,
            "usd_per_hour": each.per_hour,
        }
        for each in wishes
    ]


def cost_range(per_hour: float | None, wishes: list[Priced]) -> tuple[float, float] | None:
    """The least and the most that a cluster costs per hour, by its wishes; None if a price is not known."""
    if per_hour is None or not wishes or any(each.per_hour is None for each in wishes):
        return None
    least = most = per_hour
    for now in (each for each in wishes if each.counts):
        prices = [each.per_hour or 0 for each in wishes if each.group == now.group]
        least += min(prices) - (now.per_hour or 0)
        most += max(prices) - (now.per_hour or 0)
    return round(least, 2), round(most, 2)
