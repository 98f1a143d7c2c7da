"""Indicative cost before and after: the prices of the catalog, and "unknown" where it has none."""

from collections.abc import Iterable, Mapping, Sequence

from clusterprint import catalog
from clusterprint.review.capacity import family
from clusterprint.review.machines import Machines
from clusterprint.review.model import CapacityModel, Cost, CostRow

HOURS_OF_A_MONTH = 730

NOTE = (
    "List prices of machines with accelerators, as seen at the source; no disks, networks, licences, "
    "CPU nodes or discounts. Autoscaled pools count at their most. Not for billing."
)

Machine = tuple[str, CapacityModel, str, int]
Sides = Mapping[str, tuple[Sequence[Machines], Sequence[Machines]]]


def cost(clusters: Sides) -> Cost:
    """What the machines of each cluster cost, before and after."""
    rows = [row for cluster, sides in clusters.items() for row in _rows(cluster, *sides)]
    known = sum(((row.after or 0) - (row.before or 0) for row in rows), 0.0)
    # A row without a price says why only if its number of machines changes.
    complete = not any(row.price is None and row.why for row in rows)
    return Cost(
        rows=tuple(rows),
        per_hour=round(known, 2) if complete else None,
        per_month=round(known * HOURS_OF_A_MONTH, 2) if complete else None,
        known_per_hour=round(known, 2),
        note=NOTE if rows else "",
    )


def _rows(cluster: str, before: Sequence[Machines], after: Sequence[Machines]) -> list[CostRow]:
    was, now = _counts(before), _counts(after)
    return [_row(cluster, key, was.get(key, 0), now.get(key, 0)) for key in sorted({*was, *now})]


def _counts(machines: Iterable[Machines]) -> dict[Machine, int]:
    found: dict[Machine, int] = {}
    for each in machines:
        if family(each).unit != "node":
            key = (each.machine_type, each.model, each.accelerator, each.accelerators)
            found[key] = found.get(key, 0) + each.most
    return found


def _row(cluster: str, machine: Machine, before: int, after: int) -> CostRow:
    name, model, accelerator, attached = machine
    what = f"{name} with {attached} x {accelerator}" if attached and name.startswith("n1-") else name
    price, of_each, why = _price(machine)
    if price is None:
        return CostRow(
            cluster=cluster,
            what=what,
            model=model,
            before=None if before else 0.0,
            after=None if after else 0.0,
            why="" if before == after else why,
        )
    source = next(iter(price.sources), "")
    known = catalog.source(source)
    return CostRow(
        cluster=cluster,
        what=what,
        model=model,
        before=round(before * of_each, 2),
        after=round(after * of_each, 2),
        price=round(of_each, 4),
        region=price.region,
        source=known.title if known else source,
        date=price.date,
        why=price.notes,
    )


def _price(machine: Machine) -> tuple[catalog.Price | None, float, str]:
    """The price, what one machine costs by it, and why there is none."""
    name, model, _, _ = machine
    tpu = catalog.tpu_type_of(name)
    if tpu:
        price = catalog.tpu_chip_hourly_price(tpu.name, model)
        return price, price.usd * tpu.machines[name].chips if price else 0, _why(name, model)
    price = catalog.hourly_price(name, model)
    return price, price.usd if price else 0, _why(name, model)


def _why(name: str, model: CapacityModel) -> str:
    if model in ("flex_start", "reservation"):
        return f"{model.replace('_', '-')} capacity is priced by contract"
    return f"the catalog has no price of {name}"
