"""Indicative cost before and after, by the list prices of the catalog; what has none is named once."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clusterprint import catalog
from clusterprint.catalog import Price
from clusterprint.derived import durations
from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.review.machines import Machines
from clusterprint.review.model import CapacityModel, Cost, CostRow
from clusterprint.review.stored import Stored, carried

NOTE = (
    "List prices of machines in US dollars, as seen at the source; no boot disks, networks, licences, "
    "cluster fees or discounts. Autoscaled pools count at their maximum. Not for billing."
)
RESERVED = "Reservations count at the price on demand, which they cost as long as they exist."

STORED = (
    "File systems, disks and shares at their list price for a month, divided by 730 hours; what is "
    "claimed by storage classes is not counted."
)

# What is named has commas in it.
_SEPARATOR = "; "

Sides = Mapping[str, tuple[Sequence[Machines], Sequence[Machines]]]
StoredSides = Mapping[str, tuple[Collection[Stored], Collection[Stored]]]


class _Sort(NamedTuple):
    """Machines that cost the same: those of one type, in one region, under one model."""

    machine_type: str
    model: CapacityModel
    accelerator: str
    accelerators: int
    region: str

    @property
    def what(self) -> str:
        attached = f" with {self.accelerators} x {self.accelerator}" if self.is_attached else ""
        return f"{self.machine_type}{attached}"

    @property
    def is_attached(self) -> bool:
        # other series come with their GPUs, and name them as well
        machine = catalog.machine(self.machine_type)
        return bool(machine and not machine.gpus and self.accelerators)


def cost(
    clusters: Sides,
    not_compared: Sequence[str] = (),
    stored: StoredSides | None = None,
    by_use: Sequence[str] = (),
    ends: Mapping[str, str] | None = None,
) -> Cost:
    """Costs of each cluster's machines and storage, before and after.

    `not_compared` are the clusters of which nothing is known, `by_use` what is paid for by what is in it,
    `ends` the durations after which machines of a cluster end by themselves.
    """
    rows: list[CostRow] = []
    without: dict[str, bool] = {}  # what has no list price, and whether its number changes
    known, reserved = 0.0, False
    for cluster, (before, after) in clusters.items():
        was, now = _counts(before), _counts(after)
        for sort in sorted({*was, *now}):
            counts = was.get(sort, 0), now.get(sort, 0)
            price = _price(sort)
            if price is None:
                told = f"{sort.what} ({sort.model.replace('_', '-')})"
                without[told] = without.get(told, False) or counts[0] != counts[1]
            else:
                rows.append(_row(cluster, sort, price, *counts))
                known += (counts[1] - counts[0]) * price.usd
                reserved = reserved or sort.model == "reservation"
    storage = list(_storage(stored or {}, without))
    rows += [row for row, _ in storage]
    known += sum(change for _, change in storage)
    complete = not any(without.values()) and not not_compared
    note = _note(without, not_compared, reserved=reserved, stored=bool(storage))
    return Cost(
        rows=tuple(rows),
        per_hour=round(known, 2) if complete else None,
        per_month=round(known * HOURS_OF_A_MONTH, 2) if complete else None,
        known_per_hour=round(known, 2),
        without_price=tuple(without),
        not_compared=tuple(not_compared),
        note=" ".join(
            (note, *_by_use(by_use), *_readers(clusters, stored or {}), *_to_end(clusters, ends or {}))
        )
        if rows or without or not_compared
        else "",
    )


def _to_end(clusters: Sides, ends: Mapping[str, str]) -> Iterator[str]:
    """The cost of the machines of each cluster that ends by itself, where all of them have a price."""
    for cluster, duration in ends.items():
        counts = _counts(clusters[cluster][1])
        prices = {sort: price.usd for sort in counts if (price := _price(sort))}
        if counts and prices.keys() == counts.keys():
            hours = durations.seconds(duration) / 3600
            total = sum(count * prices[sort] for sort, count in counts.items()) * hours
            yield f"The machines of {cluster} cost ${total:,.2f} until they end, after {duration}."


def _by_use(named: Sequence[str]) -> Iterator[str]:
    if named:
        yield f"Paid for by what is in them, and so not in the sums: {_SEPARATOR.join(named)}."


def _readers(clusters: Sides, stored: StoredSides) -> Iterator[str]:
    """How fast the nodes of each cluster with file systems read, however fast those are."""
    for cluster, (_, after) in clusters.items():
        mbps = carried(after) if cluster in stored and stored[cluster][1] else None
        if mbps:
            yield f"All nodes of {cluster} together read at most {mbps:,} MB/s."


def _storage(clusters: StoredSides, without: dict[str, bool]) -> Iterator[tuple[CostRow, float]]:
    """A row for all that stores data and has a price, and its change; `without` gets the others."""
    for cluster, (before, after) in clusters.items():
        was, now = Counter(before), Counter(after)
        for each in sorted({*was, *now}, key=lambda each: (each.what, each.region)):
            if each.price is None:
                without[each.what] = without.get(each.what, False) or was[each] != now[each]
                continue
            hourly = each.price.usd / HOURS_OF_A_MONTH
            price = Price(hourly, each.price.region, each.model, (each.source,), each.date)
            yield _row(cluster, each, price, was[each], now[each]), (now[each] - was[each]) * hourly


def price_of(machines: Machines) -> Price | None:
    """The price of one of the machines, with the GPUs that are attached to it; None where there is none."""
    return _price(_sort(machines))


def _counts(machines: Iterable[Machines]) -> dict[_Sort, int]:
    found: dict[_Sort, int] = {}
    for each in machines:
        sort = _sort(each)
        found[sort] = found.get(sort, 0) + each.most
    return found


def _sort(machines: Machines) -> _Sort:
    return _Sort(
        machines.machine_type, machines.model, machines.accelerator, machines.accelerators, machines.region
    )


def _price(sort: _Sort) -> Price | None:
    """The price of one machine with the GPUs that are attached to it."""
    machine = catalog.hourly_price(sort.machine_type, sort.model, sort.region)
    if machine is None or not sort.is_attached:
        return machine
    gpu = catalog.gpu_hourly_price(sort.accelerator, sort.model, sort.region)
    if gpu is None:
        return None
    # if one of the two is of another region, that is what has to be said
    other = gpu if gpu.region != sort.region else machine
    return other._replace(usd=machine.usd + gpu.usd * sort.accelerators)


def _row(cluster: str, sort: _Sort | Stored, price: Price, before: int, after: int) -> CostRow:
    source = next(iter(price.sources), "")
    known = catalog.source(source)
    return CostRow(
        cluster=cluster,
        what=sort.what,
        model=sort.model,
        before=round(before * price.usd, 2),
        after=round(after * price.usd, 2),
        price=round(price.usd, 4),
        region=price.region,
        source=f"{known.title}, of {known.date}" if known else source,
        date=price.date,
        why=_elsewhere(sort, price),
    )


def _elsewhere(sort: _Sort | Stored, price: Price) -> str:
    if sort.region == price.region:
        return ""
    if not sort.region:
        return "where the machines will be is not known"
    return f"no price of {sort.region} is known"


def _note(without: Iterable[str], not_compared: Iterable[str], *, reserved: bool, stored: bool) -> str:
    named, clusters = _SEPARATOR.join(without), ", ".join(not_compared)
    missing = f"Without a list price, and so not in the sums: {named}." if named else ""
    unread = f"Not compared, and so not in the sums: {clusters}." if clusters else ""
    return " ".join(
        filter(None, (NOTE, RESERVED if reserved else "", STORED if stored else "", missing, unread))
    )
