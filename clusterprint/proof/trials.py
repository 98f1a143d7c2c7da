"""Named trials: what docs/unproven.md asks, as blueprints that can be run; rows of `trials.json`."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.examine import Examined
from clusterprint.overview.cluster import cluster_of
from clusterprint.review.side import synthesized
from clusterprint.review.stored import stored_of

#: The project and place of a trial where the user names none, as in all our blueprints.
_PLACE = {
    "clusterprint": "v1",
    "project": "my-gpu-project",
    "region": "us-central1",
    "zone": "us-central1-a",
    "backend": {"gcs": {"bucket": "my-terraform-state"}},
}
# Files that blueprints of trials name.
_FILES = {"notes.txt": "A file of a trial of clusterprint.\n"}
#: The time that a blueprint of the user's own may take.
OWN_MINUTES = 120


class Trial(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trial: what it proves, for how long at most it runs, its blueprint, and what is changed then.

    `by_hand` is what people have to look at themselves, and which evidence says nothing of.
    """

    name: str
    proves: str
    minutes: int
    blueprint: dict[str, Any]
    change: dict[str, Any] = {}
    by_hand: str = ""
    more_usd_per_hour: float = 0
    more_source: str = ""


class Estimate(NamedTuple):
    """Cost at list prices of machines and storage; `without_price` is what is not in it."""

    usd_per_hour: float
    without_price: tuple[str, ...]
    sources: tuple[str, ...]

    def at_most(self, minutes: float) -> float:
        """The cost of so many minutes."""
        return round(self.usd_per_hour * minutes / 60, 2)


@cache
def _trials() -> Mapping[str, Trial]:
    rows = msgspec.json.decode(Path(__file__).with_name("trials.json").read_bytes(), type=list[Trial])
    return MappingProxyType({each.name: each for each in rows})


#: All trials by name.
TRIALS = _trials()


class Place(NamedTuple):
    """Where trials run: project, zone and state bucket of the user; empty for those of the examples."""

    project: str = ""
    zone: str = ""
    bucket: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a blueprint."""
        found: dict[str, Any] = {"project": self.project} if self.project else {}
        found |= {"backend": {"gcs": {"bucket": self.bucket}}} if self.bucket else {}
        return found | ({"zone": self.zone, "region": self.zone.rpartition("-")[0]} if self.zone else {})


#: That of our examples.
EXAMPLE = Place()


@contextmanager
def written(trial: Trial, place: Place = EXAMPLE, *, changed: bool = False) -> Iterator[Path]:
    """The blueprint of a trial as a file, that of its change with `changed`; for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as made:
        folder = Path(made)
        for name, text in _FILES.items():
            (folder / name).write_text(text, "utf-8")
        content = _merged(trial.blueprint, trial.change if changed else {}) | _PLACE | place.fields
        file = folder / f"{trial.name}.yaml"
        file.write_text(json.dumps(content, indent=2), "utf-8")
        yield file


def _merged(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Maps laid over each other, as a merge patch does; a list replaces a list."""
    found = dict(below)
    for key, value in over.items():
        inner = found.get(key)
        found[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return found


def estimate(examined: Examined, more: float = 0, more_source: str = "") -> Estimate:
    """The cost per hour of blueprints: machines at their most, what is paid for by its size, and `more`."""
    clusters = [cluster_of(each) for each in examined.results]
    without = [name for each in clusters for name in each.without_price]
    total = more + sum(each.per_hour or 0 for each in clusters)
    sources = ["list prices of the catalog", *([more_source] if more_source else [])]
    for cluster, stacks in zip(clusters, synthesized(examined.results), strict=True):
        for stored, count in stored_of(
            [each for stack in stacks for each in stack.resources.values()]
        ).items():
            if stored.price is None:
                without.append(stored.what.partition(f" {cluster.name}")[0])
            else:
                total += stored.price.usd * count / HOURS_OF_A_MONTH
    return Estimate(round(total, 4), tuple(dict.fromkeys(without)), tuple(sources))


def chosen(
    costs: Mapping[str, float | None], budget: float | None, minutes: float | None
) -> tuple[list[str], list[str]]:
    """Trials that fit into a budget and a time, cheap ones first, and those left out.

    A cost of None is unknown, which fits into no budget.
    """
    taken: list[str] = []
    left: list[str] = []
    spent, used = 0.0, 0.0
    for name in by_cost(costs):
        cost, takes = costs[name], TRIALS[name].minutes
        fits = budget is None or (cost is not None and spent + cost <= budget)
        if fits and (minutes is None or used + takes <= minutes):
            taken.append(name)
            spent, used = spent + (cost or 0), used + takes
        else:
            left.append(name)
    return taken, left


def by_cost(costs: Mapping[str, float | None]) -> Sequence[str]:
    """The names, the cheapest first; what has no price comes last."""
    return sorted(costs, key=lambda name: (costs[name] is None, costs[name] or 0, TRIALS[name].minutes, name))
