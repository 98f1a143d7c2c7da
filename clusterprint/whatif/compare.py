"""The scenarios that policies name, in the blueprints before and after a change."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from clusterprint.document import Document
from clusterprint.errors import UsageError
from clusterprint.masking import masked
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.model import ScenarioRow
from clusterprint.review.policy.find import Policies
from clusterprint.validate import check_alone
from clusterprint.whatif.answer import lost, simulate
from clusterprint.whatif.read import Scenario, hits_of, read
from clusterprint.whatif.setup import setup_of

_SEED = 1


def compared(
    clusters: Iterable[ComparedCluster], policies: Policies
) -> tuple[tuple[ScenarioRow, ...], tuple[str, ...]]:
    """The differences, and notes on scenarios that cannot be read."""
    rows: dict[ScenarioRow, None] = {}
    notes: dict[str, None] = {}
    for each in clusters:
        if each.after is None or (each.before and each.before.data == each.after.data):
            continue
        for scenario in _named(policies, each.after.file, notes):
            try:
                rows |= dict.fromkeys(_rows(each, scenario))
            except UsageError as error:
                notes[f"scenario {scenario.name} is not compared: {error}"] = None
    return masked(tuple(rows)), masked(tuple(notes))


def _named(policies: Policies, file: str, notes: dict[str, None]) -> Iterator[Scenario]:
    for judging in policies.judging:
        policy = judging.read.policy
        if policy is None or not judging.is_about([file]):
            continue
        folder = judging.folder or Path(judging.read.file).parent
        for name in policy.scenarios:
            try:
                scenario, problems, _ = read(name, folder)
            except UsageError as error:
                notes[f"{judging.read.file}: {error}"] = None
                continue
            if scenario is None:
                said = f"scenario {name} is not compared: {problems[0].message}"
                notes[f"{judging.read.file}: {said}"] = None
            else:
                yield scenario


def _rows(cluster: ComparedCluster, scenario: Scenario) -> Iterator[ScenarioRow]:
    before = _measures(cluster.before, scenario) if cluster.before else {}
    for measure, after in (_measures(cluster.after, scenario) if cluster.after else {}).items():
        if before.get(measure, 0) != after:
            yield ScenarioRow(
                cluster=cluster.name,
                scenario=scenario.name,
                measure=measure,
                before=before.get(measure),
                after=after,
            )


def _measures(document: Document, scenario: Scenario) -> dict[str, float]:
    """The losses by a scenario; nothing if the blueprint has mistakes."""
    blueprint = check_alone(document).blueprint
    if blueprint is None:
        return {}
    setup, settings = setup_of(blueprint), scenario.settings
    key = f"{_SEED}/{scenario.content.description}/{blueprint.name}"
    with_it = simulate(setup, hits_of(scenario.content, setup), settings, key, scenario.content.runs)
    loss = lost(setup, with_it, simulate(setup, (), settings, key, 1))
    wasted = sum(with_it.of("pools", at, "wasted") for at in range(len(setup.pools)))
    found = {
        "hours that nodes are late": loss.late,
        "hours of work lost": loss.work,
        "hours of work thrown away": loss.thrown,
        "hours of nodes without jobs missing": loss.nodes,
        "USD wasted": wasted,
    }
    return {measure: round(max(amount, 0), 1) for measure, amount in found.items()}
