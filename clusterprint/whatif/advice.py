"""Lines of the blueprint that would change the answer: each is tried in the model before it is told."""

import math
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterprint import catalog
from clusterprint.diagnostic import Severity
from clusterprint.document import Document, Place
from clusterprint.validate import alternatives, check_alone
from clusterprint.whatif.setup import NEVER, Pool, Setup, setup_of
from clusterprint.whatif.state import Hit, Settings
from clusterprint.wishes import counted_words

if TYPE_CHECKING:
    from clusterprint.whatif.answer import Mean

# What has to become less to be worth a line, and how many lines are told.
_SHARE, _MOST = 0.95, 5
_RETRIES = 10
#: Capacity models that help against an event, the best first.
_HELPS = {
    "stock_out": ("reservation",),
    "quota_cut": ("reservation",),
    "preemption": ("reservation", "on_demand", "flex_start"),
    "reservation_end": ("on_demand", "flex_start", "spot"),
}


class After(NamedTuple):
    """The hours of work, and of nodes without, that are lost; what is gained is below zero."""

    work: float
    nodes: float


class Advice(NamedTuple):
    """A change of the blueprint, and what is lost after it."""

    place: Place
    change: str
    after: After


class Case(NamedTuple):
    """A blueprint in a scenario."""

    document: Document
    setup: Setup
    hits: Sequence[Hit]
    settings: Settings


class _Try(NamedTuple):
    """A change: what it does in the model, and the value at its place of the blueprint (None: not there)."""

    place: Place
    change: str
    setup: Setup
    settings: Settings
    value: Any = None


def advice_of(case: Case, with_it: "Mean", again: "Callable[[Setup, Settings], After]") -> list[Advice]:
    """The changes by which less is lost, the best first."""
    found, loss = [], again(case.setup, case.settings)
    for each in _tries(case, with_it):
        after = again(each.setup, each.settings)
        if sum(after) < sum(loss) * _SHARE and (each.value is None or _is_valid(case.document, each)):
            found.append(Advice(each.place, each.change, after))
    return sorted(found, key=lambda each: each.after)[:_MOST]


def _is_valid(document: Document, tried: _Try) -> bool:
    """Whether the blueprint with the change has no more problems than without."""
    data = deepcopy(document.data)
    *way, last = tried.place
    part = data
    for key in way:
        part = part[key] if isinstance(key, int) else part.setdefault(key, {})
    part[last] = tried.value
    before, after = (
        sum(found.severity is not Severity.NOTE for found in check_alone(each).diagnostics)
        for each in (document, document._replace(data=data))
    )
    return after <= before


def _tries(case: Case, with_it: "Mean") -> Iterator[_Try]:
    _, setup, hits, settings = case
    hit = {setup.pools[at].place for each in hits for at in each.pools}
    for group, number, other in alternatives(case.document):
        if group.place in hit and other.blueprint:
            change = f"wish {counted_words(group, number)}, which `up` tries in its turn"
            yield _Try(group.place_of(number), change, setup_of(other.blueprint), settings)
    for at, pool in enumerate(setup.pools):
        kinds = [each.kind for each in hits if at in each.pools]
        if kinds and pool.place[0] not in ("system_pool", "head_node"):
            yield from _of_pool(setup, at, pool, kinds, settings)
    for at, job in enumerate(setup.jobs):
        if job.attempts < NEVER and with_it.of("jobs", at, "failed"):
            changed = job._replace(attempts=max(_RETRIES + 1, job.attempts))
            yield _Try(
                (*job.place, "retries"), f"{_RETRIES}", _with_job(setup, at, changed), settings, _RETRIES
            )
    if any(each.rate for each in hits):
        yield from _of_checkpoints(setup, settings, with_it)


def _of_pool(setup: Setup, at: int, pool: Pool, kinds: Sequence[str], settings: Settings) -> Iterator[_Try]:
    place = (*pool.place, "capacity")
    sold = _sold(pool.machine_type)
    models = dict.fromkeys(model for kind in kinds for model in _HELPS.get(kind, ()))
    for model in models:
        if model != pool.model and model in sold and pool.place[0] != "compute_classes":
            named = f"{{model: {model}{', reservation: NAME' if model == 'reservation' else ''}}}"
            price = pool.prices.get(model)
            cost = ", at most 7 days at a time" if model == "flex_start" else ""
            cost += "" if price is None else f" ({price:,.2f} USD per hour and node)"
            changed = pool._replace(
                model=model,
                price=price,
                longest=7 * 24.0 if model == "flex_start" else NEVER,
                replaced=pool.replaced if model != "flex_start" or pool.elastic else False,
            )
            value = {"model": model} | ({"reservation": "name"} if model == "reservation" else {})
            yield _Try(place, f"{named}{cost}", _with_pool(setup, at, changed), settings, value)
    if "node_fault" in kinds and not pool.elastic and len(pool.zones) == 1:
        yield from _spare(setup, at, pool, settings)
    if "zone_outage" in kinds and pool.place[0] != "nodes" and (zone := _other_zone(pool)):
        zones = (*pool.zones, zone)
        changed = pool._replace(zones=zones, movable=pool.elastic)
        change = f"[{', '.join(zones)}]"
        yield _Try((*pool.place, "zones"), change, _with_pool(setup, at, changed), settings, [*zones])
    if not pool.replaced and pool.model != "flex_start":
        changed = pool._replace(replaced=True, resumed=True)
        yield _Try((*pool.place, "repair"), "true", _with_pool(setup, at, changed), settings, True)


def _other_zone(pool: Pool) -> str:
    """Another zone of the region that has the machines, if they need not be close together; or nothing."""
    machine = catalog.machine(pool.machine_type)
    if machine is None or not machine.zones or machine.network.gpudirect != "none":
        return ""
    region = catalog.region_of(pool.zones[0])
    here = (each for each in sorted(machine.zones) if catalog.region_of(each) == region)
    return next((each for each in here if each not in pool.zones), "")


def _spare(setup: Setup, at: int, pool: Pool, settings: Settings) -> Iterator[_Try]:
    """One node more, for jobs that use all of them; TPU slices have no single spare nodes."""
    if catalog.tpu_type_of(pool.machine_type):
        return
    most = pool.most + 1
    changed = pool._replace(most=most, least=most)
    yield _Try(
        (*pool.place, "count"), f"{most} (one node to spare)", _with_pool(setup, at, changed), settings, most
    )


def _of_checkpoints(setup: Setup, settings: Settings, with_it: "Mean") -> Iterator[_Try]:
    """The interval of Young and Daly, from the interruptions of the runs."""
    for at, job in enumerate(setup.jobs):
        interruptions = with_it.of("jobs", at, "interruptions")
        if job.keeps == "checkpoints" and with_it.of("jobs", at, "thrown") and interruptions:
            apart = with_it.of("jobs", at, "useful") / interruptions
            every = best_interval(settings.takes, apart)
            minutes = max(round(every * 60), 1)
            if abs(every - settings.every) > 0.2 * settings.every:
                change = (
                    f"have the program save every {minutes} minutes of work, by the rule of Young and Daly"
                )
                yield _Try(job.place, change, setup, settings._replace(every=minutes / 60))


def best_interval(takes: float, apart: float) -> float:
    """The work between two checkpoints by which the least is lost: Young's first order.

    `takes` is the time of a checkpoint, `apart` the mean time between two interruptions, in hours.
    """
    return math.sqrt(2 * takes * apart)


def _sold(machine_type: str) -> set[str]:
    """The capacity models that the catalog says a machine type is sold under; all of Azure's sizes."""
    if catalog.azure_size(machine_type):
        return {"on_demand", "spot", "reservation"}
    found = catalog.machine(machine_type) or catalog.tpu_type_of(machine_type)
    return {model for model, sold in found.capacity.items() if sold} if found else set()


def _with_pool(setup: Setup, at: int, pool: Pool) -> Setup:
    return setup._replace(pools=(*setup.pools[:at], pool, *setup.pools[at + 1 :]))


def _with_job(setup: Setup, at: int, job: object) -> Setup:
    return setup._replace(jobs=(*setup.jobs[:at], job, *setup.jobs[at + 1 :]))  # type: ignore[arg-type]
