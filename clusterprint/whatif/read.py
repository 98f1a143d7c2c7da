"""Reading a scenario, shipped or in a file, and what it means for one blueprint."""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from clusterprint.derived import durations
from clusterprint.diagnostic import Diagnostic
from clusterprint.document import Document, Place
from clusterprint.errors import UsageError
from clusterprint.files.inside import root_of
from clusterprint.find import POLICY
from clusterprint.load import load
from clusterprint.validate import side_file
from clusterprint.validate.codes import NOT_ALLOWED, OUT_OF_RANGE
from clusterprint.validate.convert import convert
from clusterprint.whatif.facts import FACTS, SCENARIOS
from clusterprint.whatif.scenario import (
    EVENTS,
    NodeFaults,
    Preemptions,
    QuotaCut,
    ReservationEnd,
    ScenarioFile,
    StockOut,
    ZoneOutage,
)
from clusterprint.whatif.setup import NEVER, Pool, Setup
from clusterprint.whatif.state import Hit, Kind, Settings
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import alike


class Scenario(NamedTuple):
    """A scenario, and what it is called; `document` is None for a shipped one."""

    name: str
    content: ScenarioFile
    document: Document | None = None

    @property
    def settings(self) -> Settings:
        """Its times, in hours."""
        content, often = self.content, self.content.checkpoints
        times = (content.length, content.boot, content.restart, often.every, often.takes)
        return Settings(*map(hours, times))


def hours(duration: str) -> float:
    """A duration in hours."""
    return durations.seconds(duration) / 3600


def read(name: str, folder: Path | None = None) -> tuple[Scenario | None, tuple[Diagnostic, ...], str]:
    """A scenario by its name, or else in a file; the problems in it, and its text.

    In a `folder`, nothing outside of its repository is read. Raises UsageError if there is neither.
    """
    if name in SCENARIOS:
        return Scenario(name, convert(ScenarioFile, SCENARIOS[name], {})[0]), (), ""
    file = (folder or Path()) / name
    if not name.strip() or not os.path.lexists(file):
        near = alike(name, SCENARIOS)
        meant = f": {did_you_mean(*near)}" if near else f"; scenarios are {', '.join(SCENARIOS)}"
        raise UsageError(f"there is neither a scenario nor a file {name or '(an empty name)'}{meant}")
    found = side_file.read(
        load(file, name, root_of(folder / POLICY, [folder]) if folder else None), ScenarioFile, "scenario"
    )
    text = found.document.text if found.document else ""
    if found.part is None:
        return None, found.diagnostics, text
    return Scenario(name, found.part, found.document), found.diagnostics, text


# ---- targets


def problems(scenario: Scenario, setups: Sequence[Setup]) -> Iterator[Diagnostic]:
    """Names that no blueprint has, and times that are the wrong way round; of a file only."""
    document = scenario.document
    if document is None:
        return
    pools = [pool for setup in setups for pool in setup.pools]
    known = {
        "pools": {name for each in pools for name in each.names},
        "zones": {zone for each in pools for zone in each.zones},
        "zone": {zone for each in pools for zone in each.zones},
        "machine_types": {each.machine_type for each in pools},
        "reservation": {each.reservation for each in pools if each.reservation},
    }
    length = hours(scenario.content.length)
    for field in EVENTS:
        for index, event in enumerate(getattr(scenario.content, field)):
            place: Place = (field, index)
            yield from _unknown(document, event, place, known)
            yield from _times(document, event, place, length)
            spot = {name for each in pools if each.model == "spot" for name in each.names}
            for at, name in enumerate(event.pools if field == "preemptions" else ()):
                if name in known["pools"] - spot:
                    said = f"pool {name} has no spot nodes, and only those are preempted"
                    way_out = "name a pool of `model: spot`, or use `node_faults`"
                    yield _problem(document, (*place, "pools", at), said, way_out)


def _unknown(
    document: Document, event: Any, place: Place, known: dict[str, set[str]]
) -> Iterator[Diagnostic]:
    for key, names in known.items():
        value = getattr(event, key, UNSET)
        several = isinstance(value, tuple)
        items: Any = value if several else () if value is UNSET else (value,)
        for at, name in enumerate(items):
            if name not in names:
                near = alike(name, names)
                said = f"no blueprint has a {key.rstrip('s').replace('_', ' ')} {name}"
                others = f"there are: {', '.join(sorted(names)) or 'none'}"
                where = (*place, key, at) if several else (*place, key)
                yield _problem(document, where, said, did_you_mean(*near) or others)


def _times(document: Document, event: Any, place: Place, length: float) -> Iterator[Diagnostic]:
    for key, field in (("from", "start"), ("to", "end"), ("at", "at")):
        value = getattr(event, field, UNSET)
        if value is not UNSET and hours(value) > length:
            said = f"{value} is after the end of the scenario, which lasts {length:g} hours"
            yield _problem(document, (*place, key), said, "make it earlier, or `length` longer", OUT_OF_RANGE)
    if _time(event, "end", NEVER) <= _time(event, "start", 0):
        said = f"it is over ({event.end}) before it begins ({event.start or 'at the creation'})"
        yield _problem(document, (*place, "to"), said, "make `to` later than `from`", OUT_OF_RANGE)


def _problem(
    document: Document, place: Place, message: str, help_text: str, topic: Any = NOT_ALLOWED
) -> Diagnostic:
    return Diagnostic(topic.code, topic.severity, message, document.label(place), help=help_text)


# ---- events


def hits_of(content: ScenarioFile, setup: Setup) -> list[Hit]:
    """The events of a scenario as they hit the pools of a blueprint, without those that hit none."""
    found = []
    for field in EVENTS:
        for event in getattr(content, field):
            hit = _hit(event, setup, hours(content.length))
            found += [hit] if hit.pools and hit.zones != frozenset() else []
    return found


def pinned(content: ScenarioFile, setup: Setup) -> ScenarioFile:
    """The scenario with stock-outs of the machine types of a blueprint, and of none in their place."""
    types = tuple(sorted({each.machine_type for each in setup.pools}))
    outs = [replace(each, machine_types=each.machine_types or types) for each in content.stock_outs]
    pinned_to: ScenarioFile = replace(content, stock_outs=tuple(outs))
    return pinned_to


def _hit(event: Any, setup: Setup, length: float) -> Hit:
    pools, named = setup.pools, getattr(event, "pools", ())
    kind: Kind
    zones = frozenset(getattr(event, "zones", ())) or None
    start, end = _time(event, "start", 0), _time(event, "end", NEVER)
    concerned: Callable[[Pool], bool] = bool
    more: dict[str, Any] = {}
    match event:
        case StockOut():
            kind, concerned = "stock_out", partial(_is_out, event)
        case ZoneOutage():
            zone = most_important_zone(pools) if event.zone is UNSET else event.zone
            kind, zones, concerned = "zone_outage", frozenset({zone}), lambda pool: zone in pool.zones
        case Preemptions():
            kind, concerned = "preemption", lambda pool: pool.model == "spot"
            rate = -math.log1p(-event.per_hour)
            more = {"rate": (rate,) * len(pools), "refill": _time(event, "refill", 0)}
        case ReservationEnd():
            kind, start = "reservation_end", hours(event.at)
            wanted = event.reservation
            concerned = lambda pool: _is_reserved(pool) and wanted in (UNSET, pool.reservation)  # noqa: E731
        case QuotaCut():
            kind, more = "quota_cut", {"share": event.share}
            concerned = lambda pool: not _is_reserved(pool)  # noqa: E731
        case NodeFaults() if event.every is not UNSET:
            kind, more = "node_fault", {"rate": (1 / hours(event.every),), "shared": True}
        case NodeFaults():
            rates = tuple(each.accelerators * float(FACTS["faults"].value) for each in pools)
            kind, more = "node_fault", {"rate": rates}
            if any(rates):
                concerned = lambda pool: pool.accelerators > 0  # noqa: E731
            if sum(rate * each.most for rate, each in zip(rates, pools, strict=True)) * length < 1:
                more = {"rate": (1 / length,), "shared": True}
        case _:
            kind, more = "price_change", {"factor": event.factor}
    hit = frozenset(
        at
        for at, each in enumerate(pools)
        if (not named or not each.names.isdisjoint(named)) and concerned(each)
    )
    return Hit(kind, hit, zones, start, end, **more)


def _time(event: Any, field: str, otherwise: float) -> float:
    value = getattr(event, field, UNSET)
    return otherwise if value is UNSET else hours(value)


def _is_reserved(pool: Pool) -> bool:
    return pool.model == "reservation"


def _is_out(event: StockOut, pool: Pool) -> bool:
    return (
        not _is_reserved(pool)
        and pool.machine_type in (event.machine_types or (pool.machine_type,))
        and pool.model in (event.models or (pool.model,))
    )


def most_important_zone(pools: Sequence[Pool]) -> str:
    """The zone with the most accelerators, or else nodes; the first of several in the alphabet."""
    sums: dict[str, tuple[float, float]] = {}
    for each in pools:
        for zone in each.zones:
            share = each.most / len(each.zones)
            accelerators, nodes = sums.get(zone, (0, 0))
            sums[zone] = (accelerators + share * each.accelerators, nodes + share)
    return max(sorted(sums), key=sums.__getitem__, default="")
