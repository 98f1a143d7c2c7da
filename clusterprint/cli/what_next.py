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
_WAYS = ("connect", "slurm", "notebook", "status", "dashboards", "submit", "results")
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
    simulate: Path | None,
) -> Iterator[str]:
    """Line by line: connect, dashboards, submit, results, cost per hour, time to live.

    In a simulation, commands are those that work there: others would reach for a real cluster of its name.
    """
    if simulate is None:
        yield from _ways(results, outputs)
    else:
        for each in results:
            yield from _simulated_ways(each, simulate)
    yield from _cost(reports)
    for blueprint in (each.blueprint for each in results if each.blueprint is not None):
        limit = getattr(blueprint, "time_to_live", UNSET)
        if limit is not UNSET:
            stops = getattr(blueprint, "time_to_live_action", "stop") == "stop"
            then = "stopped" if stops else "deleted"
            yield f"  time to live ({blueprint.name}): {limit}; then nodes are {then}"


def _simulated_ways(validated: Validated, simulate: Path) -> Iterator[str]:
    """Commands that ask a simulated cluster, and run its jobs."""
    from clusterprint.access.inside import OfMachines
    from clusterprint.access.jobs import jobs_of
    from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
    from clusterprint.plan.ray.ray import RayPlan
    from clusterprint.plan.vm import VmPlan
    from clusterprint.resolve import resolve

    if validated.blueprint is None:
        return
    file = validated.document.file
    file = f"./{file}" if file.startswith("-") else file

    def line(what: str, *words: str) -> str:
        command = join(("clusterprint", words[0], "--simulate", str(simulate), *words[1:]))
        return f"  {what} ({validated.document.data['name']}): {visible(command)}"

    plans = resolve(validated.blueprint, validated.document.folder)
    first, jobs, serving = plans[0], list(jobs_of(plans)), []
    yield line("status", "status", file)
    for plan in plans:
        if isinstance(plan, GkeWorkloadsPlan):
            serving = [each.name for each in plan.leader_worker_sets]
        if isinstance(plan, RayPlan):
            yield line("submit", "submit", file, "--", "python", "train.py")
        if isinstance(plan, OfMachines | RayPlan):
            yield line("log", "logs", file)
    for job in jobs:
        yield line("submit", "submit", file, job)
    for job in (*jobs, *serving):
        yield line("log", "logs", f"{file}/{job}")
    for job in [each.key for each in first.runs] if isinstance(first, VmPlan) else jobs:
        yield line("results", "results", file, "--job", job)


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
