"""The answer: what is lost by a scenario, compared with the same cluster without its events."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.document import Document
from clusterprint.errors import UsageError
from clusterprint.overview.values import origin
from clusterprint.validate import wording
from clusterprint.whatif.advice import After, Case, advice_of
from clusterprint.whatif.engine import run
from clusterprint.whatif.facts import FACTS
from clusterprint.whatif.read import Scenario, hits_of, pinned
from clusterprint.whatif.setup import NEVER, Setup
from clusterprint.whatif.state import Hit, Result, Settings
from clusterprint.words import counted

# Less than a minute, and less than a cent: what sums of fractions leave over.
_HOURS, _USD = 1 / 60, 0.01
# So many lost nodes are enough to tell whether a change helps.
_EVENTS = 20_000
# So many are a matter of minutes; as many units of jobs take as long again.
_MOST_EVENTS, _UNITS = 2_000_000, 50


class Mean(NamedTuple):
    """The mean of several runs: of pools and jobs, in the order of the setup."""

    runs: tuple[Result, ...]
    length: float

    def of(self, part: str, at: int, field: str) -> float:
        """The mean of a number."""
        return fmean(getattr(getattr(each, part)[at], field) for each in self.runs)

    def wait(self, at: int) -> float:
        """The mean time until a pool is complete, or until the end."""
        return fmean(
            self.length if each.pools[at].complete is None else each.pools[at].complete or 0
            for each in self.runs
        )

    def complete(self, at: int) -> float | None:
        """The mean time until a pool is complete; None if it never is in any of the runs."""
        times = [each.pools[at].complete for each in self.runs]
        return None if None in times else fmean(time for time in times if time is not None)


class Lost(NamedTuple):
    """Hours until all nodes are there, of work, and of nodes without; work thrown away; and money."""

    late: float
    work: float
    nodes: float
    thrown: float
    usd: float

    @property
    def is_something(self) -> bool:
        """Whether it is more than what sums of fractions leave over."""
        return max(self.late, self.work, self.nodes, self.thrown) > _HOURS or self.usd > _USD


def simulate(setup: Setup, hits: Sequence[Hit], settings: Settings, seed: str, runs: int) -> Mean:
    """Several runs, or one if nothing is left to chance. Raises UsageError if that would take too long."""
    count = runs if any(each.rate for each in hits) else 1
    events = _expected(setup, hits, settings) * count
    if events * (1 + sum(each.units for each in setup.jobs) / _UNITS) > _MOST_EVENTS:
        raise UsageError(
            f"the scenario takes {round(events):,} nodes in {counted(count, 'run')}, and that would take too "
            "long: set fewer `runs`, a shorter `length`, or rarer faults"
        )
    return Mean(tuple(run(setup, hits, settings, f"{seed}/{at}") for at in range(count)), settings.length)


def lost(setup: Setup, with_it: Mean, without: Mean) -> Lost:
    """The losses of the runs of a scenario, compared with those without."""
    jobs, pools = range(len(setup.jobs)), range(len(setup.pools))
    worked = {at for job in setup.jobs for at in job.pools}

    def more(part: str, at: int, field: str) -> float:
        return with_it.of(part, at, field) - without.of(part, at, field)

    return Lost(
        max(
            (with_it.wait(at) - without.wait(at) for at in pools if without.complete(at) is not None),
            default=0,
        ),
        sum(max(-more("jobs", at, "useful"), 0) for at in jobs),
        sum(max(more("pools", at, "missing"), 0) for at in pools if at not in worked),
        sum(max(more("jobs", at, "thrown"), 0) for at in jobs),
        sum(more("pools", at, "spent") for at in pools),
    )


def answer(
    blueprint: Blueprint, document: Document, setup: Setup, scenario: Scenario, seed: int
) -> dict[str, Any]:
    """Everything that is told of one blueprint, as data."""
    settings, runs = scenario.settings, scenario.content.runs
    key = f"{seed}/{scenario.content.description}/{blueprint.name}"
    hits = hits_of(scenario.content, setup)
    with_it, without = simulate(setup, hits, settings, key, runs), simulate(setup, (), settings, key, 1)
    loss = lost(setup, with_it, without)

    few = max(min(runs, int(_EVENTS / max(_expected(setup, hits, settings), 1))), 1)

    content = pinned(scenario.content, setup)

    def again(other: Setup, often: Settings) -> After:
        """The hours that another setup loses by the same scenario; what it gains is below zero."""
        changed = simulate(other, hits_of(content, other), often, key, few)
        gained = sum(
            max(changed.of("jobs", at, "useful") - without.of("jobs", at, "useful"), 0)
            for at in range(len(setup.jobs))
        )
        less = lost(other, changed, without)
        return After(less.work - gained, less.nodes)

    pools = range(len(setup.pools))
    return {
        "file": document.file,
        "name": str(blueprint.name),
        "touched": bool(hits),
        "lost": loss.is_something,
        "runs": len(with_it.runs),
        "hours_late": _round(max(loss.late, 0)),
        "hours_lost": _round(loss.work),
        "node_hours_lost_without_work": _round(loss.nodes),
        "hours_thrown_away": _round(loss.thrown),
        "usd_spent": _round(sum(with_it.of("pools", at, "spent") for at in pools)),
        "usd_spent_without": _round(sum(without.of("pools", at, "spent") for at in pools)),
        "usd_wasted": _round(sum(with_it.of("pools", at, "wasted") for at in pools)),
        "usd_wasted_without": _round(sum(without.of("pools", at, "wasted") for at in pools)),
        "without_price": sorted({each.machine_type for each in setup.pools if each.price is None}),
        "pools": [_pool(setup, document, at, with_it, without) for at in pools],
        "jobs": [_job(setup, document, at, with_it, without) for at in range(len(setup.jobs))],
        "left_out": list(setup.left_out),
        "advice": [
            {
                "place": _where(document, each.place),
                "change": each.change,
                "hours_lost": _round(each.after.work),
                "node_hours_lost_without_work": _round(each.after.nodes),
            }
            for each in (
                advice_of(Case(document, setup, hits, settings), with_it, again) if loss.is_something else ()
            )
        ],
    }


def _expected(setup: Setup, hits: Sequence[Hit], settings: Settings) -> float:
    """How many nodes are lost by chance in a run, on average."""
    found = 0.0
    for hit in hits:
        nodes = 1 if hit.shared else sum(setup.pools[at].most * hit.rate[at] for at in hit.pools if hit.rate)
        rate = hit.rate[0] if hit.shared else 1
        found += (min(hit.end, settings.length) - hit.start) * nodes * rate
    return found


def _round(amount: float) -> float:
    return round(amount, 2) + 0.0  # no minus zero


def _where(document: Document, place: Any) -> dict[str, str]:
    return {"at": origin(document, document.nearest(place)), "field": wording.place(place)}


def _pool(setup: Setup, document: Document, at: int, with_it: Mean, without: Mean) -> dict[str, Any]:
    pool = setup.pools[at]
    complete, least, last = (
        with_it.complete(at),
        with_it.of("pools", at, "fewest"),
        with_it.of("pools", at, "last"),
    )
    wanted = int(with_it.of("pools", at, "wanted"))
    return {
        "name": pool.name,
        **_where(document, pool.place),
        "machine_type": pool.machine_type,
        "capacity": pool.model,
        "zones": list(pool.zones),
        "nodes": wanted,
        "hours_until_complete": None if complete is None else _round(complete),
        "complete_in_runs": sum(each.pools[at].complete is not None for each in with_it.runs),
        "fewest_nodes": _round(least),
        "fewest_nodes_without": _round(without.of("pools", at, "fewest")),
        "nodes_at_end": _round(last),
        "nodes_lost": _round(with_it.of("pools", at, "lost")),
        "node_hours_missing": _round(
            max(with_it.of("pools", at, "missing") - without.of("pools", at, "missing"), 0)
        ),
        "usd_spent": None if pool.price is None else _round(with_it.of("pools", at, "spent")),
        "usd_wasted": None if pool.price is None else _round(with_it.of("pools", at, "wasted")),
    }


def _job(setup: Setup, document: Document, at: int, with_it: Mean, without: Mean) -> dict[str, Any]:
    job = setup.jobs[at]
    useful, before = with_it.of("jobs", at, "useful"), without.of("jobs", at, "useful")
    return {
        "name": job.name,
        **_where(document, job.place),
        "assumed": job.assumed,
        "units": job.units,
        "nodes": job.nodes,
        "hours_without": _round(before),
        "hours": _round(useful),
        "hours_lost": _round(max(before - useful, 0)),
        "hours_thrown_away": _round(with_it.of("jobs", at, "thrown")),
        "interruptions": _round(with_it.of("jobs", at, "interruptions")),
        "units_given_up": _round(with_it.of("jobs", at, "failed")),
        "attempts": None if job.attempts == NEVER else int(job.attempts),
    }


def assumptions(scenario: Scenario, setups: Sequence[Setup]) -> Iterator[tuple[str, str]]:
    """The assumptions of the model, each with its source, which is empty if there is none."""
    content = scenario.content
    pools = [each for setup in setups for each in setup.pools]
    models = {each.model for each in pools}
    used = {
        "faults": any(not each.every for each in content.node_faults),
        "preemptions": bool(content.preemptions) and "spot" in models,
        "reserved": "reservation" in models,
        "flex": "flex_start" in models,
        "controllers": any(setup.controllers for setup in setups),
        "quota": bool(content.quota_cuts),
        "evicted": bool(content.preemptions) and any(not each.resumed and each.replaced for each in pools),
    }
    written = {
        "boot": content.boot,
        "restart": content.restart,
        "every": content.checkpoints.every,
        "takes": content.checkpoints.takes,
    }
    for key, fact in FACTS.items():
        if written.get(key, fact.value) != fact.value:
            yield f"The scenario says {key}: {written[key]}.", "the scenario"
        elif used.get(key, True):
            yield fact.says, fact.source
    if any(job.assumed for setup in setups for job in setup.jobs):
        yield "Machines without a job in the blueprint are taken to work as one job over all their nodes.", ""
    yield "Jobs start at the creation and run to the end, or as long as their `time_limit` says.", ""
    yield "Prices are list prices of machines; other users, networks and disks are not in the model.", ""
