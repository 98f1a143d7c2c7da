"""Indicative cost before and after, by the list prices of the catalog; what has none is named once."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from clusterprint import catalog
from clusterprint.catalog import Price
from clusterprint.derived import durations
from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.derived.machines import Machines, Sort, sort_of
from clusterprint.review.model import Cost, CostRow
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
            price = sort.price
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
        prices = {sort: price.usd for sort in counts if (price := sort.price)}
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


def _counts(machines: Iterable[Machines]) -> dict[Sort, int]:
    found: dict[Sort, int] = {}
    for each in machines:
        sort = sort_of(each)
        found[sort] = found.get(sort, 0) + each.most
    return found


def _row(cluster: str, sort: Sort | Stored, price: Price, before: int, after: int) -> CostRow:
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


def _elsewhere(sort: Sort | Stored, price: Price) -> str:
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
