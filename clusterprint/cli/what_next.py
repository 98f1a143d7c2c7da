"""The last lines after `up`: how to connect, cost, time to live."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import join, quote
from typing import Any

from msgspec import UNSET

from clusterprint.cli.lifecycle import lines_of
from clusterprint.derived.state_names import stacks
from clusterprint.render.visible import visible
from clusterprint.review.model import Report
from clusterprint.review.render.phrases import dollars
from clusterprint.validate import Validated

# Outputs that say how to go on, in the order in which people need them.
_WAYS = ("connect", "notebook", "status", "dashboards", "submit", "results")
# The placeholder for the blueprint's file in commands of outputs, which do not know it.
_PLACEHOLDER = "BLUEPRINT"


def where_to_go(paths: Sequence[Path], simulate: Path | None) -> Iterator[str]:
    """The last lines, of clusters that last: commands for the same blueprints in the same cloud."""
    cloud = () if simulate is None else ("--simulate", str(simulate))
    # Nothing that a shell would take for an option, or that a terminal would obey.
    named = [f"./{each}" if str(each).startswith("-") else str(each) for each in paths]
    for what, command in (("all outputs", "outputs"), ("to destroy it all", "down")):
        yield f"  {what}: {visible(join(('clusterprint', command, *cloud, *named)))}"


def what_next(
    results: Sequence[Validated],
    outputs: Mapping[str, Mapping[str, Any]],
    reports: Sequence[Report],
    *,
    simulated: bool,
) -> Iterator[str]:
    """Line by line: connect, dashboards, submit, results, cost per hour, time to live.

    Commands into the cluster are left out of a simulation: they would reach for a real one of its name.
    """
    if not simulated:
        yield from _ways(results, outputs)
    yield from _cost(reports)
    for blueprint in (each.blueprint for each in results if each.blueprint is not None):
        limit = getattr(blueprint, "time_to_live", UNSET)
        if limit is not UNSET:
            stops = getattr(blueprint, "time_to_live_action", "stop") == "stop"
            then = "stopped" if stops else "deleted"
            yield f"  time to live ({blueprint.name}): {limit}; then nodes are {then}"


def _ways(results: Sequence[Validated], outputs: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The outputs, once each: the stacks of a cluster repeat those of the whole cluster."""
    files = {
        stack: quote(each.document.file)
        for each in results
        if each.blueprint is not None
        for stack in stacks(str(each.document.data["kind"]), each.blueprint.name)
    }
    said = set()
    for stack, values in outputs.items():
        for name in _WAYS:
            output = values.get(name, {})
            for value in () if output.get("sensitive") else lines_of(output.get("value")):
                line = value.replace(_PLACEHOLDER, files.get(stack, _PLACEHOLDER))
                if (name, line) not in said:
                    said.add((name, line))
                    yield f"  {name} ({stack}): {line}"


def _cost(reports: Sequence[Report]) -> Iterator[str]:
    """Cost of the machines of the changed clusters; of a retried stack, the last review counts."""
    rows = {(row.cluster, row.what, row.model): row.after for report in reports for row in report.cost.rows}
    known = [each for each in rows.values() if each is not None]
    unpriced = sorted({each for report in reports for each in report.cost.without_price})
    if rows or unpriced:
        more = f", and what has no list price: {'; '.join(unpriced)}" if unpriced else ""
        yield f"  cost: {dollars(sum(known))} per hour at most, at list prices{more}"
