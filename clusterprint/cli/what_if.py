"""`clusterprint what-if`: what a cluster loses by a stock-out, an outage, preemptions or faults."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.cli.tables import lined_up
from clusterprint.errors import UsageError
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code
from clusterprint.masking import masked
from clusterprint.whatif.answer import answer, assumptions
from clusterprint.whatif.facts import SCENARIOS
from clusterprint.whatif.read import Scenario, problems, read
from clusterprint.whatif.setup import Setup, setup_of
from clusterprint.words import counted

_POOLS = ("POOL", "CAPACITY", "NODES", "ALL THERE AFTER", "FEWEST", "AT THE END", "NODE-HOURS MISSING")
_JOBS = ("JOB", "NODES", "HOURS", "LOST", "THROWN AWAY", "INTERRUPTED", "GIVEN UP")
_MODEL = "By a model of the blueprint, not by a cloud: no forecast of when or whether this happens."


@click.command("what-if")
@cluster_arguments.any_of
@click.option(
    "--scenario",
    "names",
    multiple=True,
    metavar="NAME|FILE",
    help=f"What happens: {', '.join(SCENARIOS)}, or a file. Required; may be repeated.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of what is left to chance."
)
@FORMAT
def what_if(paths: tuple[Path, ...], names: tuple[str, ...], seed: int, form: str) -> None:
    """Show what an outage would cost.

    A model of each cluster runs through the scenario, and is compared with a run without: when all nodes are
    there, work that is lost and thrown away, money, which nodes remain, and the lines of the blueprint that
    would change it. CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is
    blueprints/. The same seed gives the same answer. Exit codes: 0 nothing is lost, 1 problems in a blueprint
    or a scenario, 4 something is lost.
    """
    examined = cluster_arguments.sound(paths, "nothing is tried: the blueprints have problems")
    if not names:
        raise UsageError(f"name a scenario or its file with --scenario: {', '.join(SCENARIOS)}")
    results = [each for each in examined.results if each.blueprint is not None]
    setups = [setup_of(each.blueprint) for each in results if each.blueprint is not None]
    told = []
    for scenario in _scenarios(names, setups):
        clusters = [
            answer(result.blueprint, result.document, setup, scenario, seed)
            for result, setup in zip(results, setups, strict=True)
            if result.blueprint is not None
        ]
        told.append(
            {
                "scenario": scenario.name,
                "description": scenario.content.description,
                "hours": scenario.settings.length,
                "lost": any(each["lost"] for each in clusters),
                "clusters": clusters,
                "assumptions": [
                    {"says": says, "source": source or "an assumption"}
                    for says, source in assumptions(scenario, setups)
                ],
            }
        )
    if form == "json":
        say(json.dumps({"model": _MODEL, "seed": seed, "scenarios": told}, indent=2, ensure_ascii=False))
    else:
        say("\n\n".join("\n".join(_text(each)) for each in told))
    sys.exit(Code.CHANGES if any(each["lost"] for each in told) else Code.DONE)


def _scenarios(names: Sequence[str], setups: Sequence[Setup]) -> list[Scenario]:
    """The scenarios; exits with the problems of those that are files."""
    found, sources, wrong = [], {}, []
    for name in dict.fromkeys(names):
        scenario, diagnostics, text = read(name)
        sources[name] = text
        wrong += masked(list(diagnostics))
        if scenario is not None:
            wrong += masked(list(problems(scenario, setups)))
            found.append(scenario)
    if wrong:
        broken = Examined([], wrong, sources, len(sources))
        print_report(broken, "text", utf8(sys.stderr), "scenario")
        if code := exit_code(broken, strict=False):
            say("nothing is tried: a scenario has problems", err=True)
            sys.exit(code)
    return found


# ---- text


def _text(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['scenario']}: {told['description'] or 'a scenario'}"
    yield f"{_MODEL} {_hours(told['hours'])} are looked at."
    for each in told["clusters"]:
        yield ""
        yield from _cluster(each)
    yield ""
    yield "What the model assumes"
    yield from (f"  {each['says']} [{each['source']}]" for each in told["assumptions"])


def _cluster(each: dict[str, Any]) -> Iterator[str]:
    yield f"{each['name']} ({each['file']}): {_verdict(each)}"
    yield from (f"  {line}" for line in lined_up(_POOLS, map(_pool_row, each["pools"]), set(_POOLS[2:])))
    if each["jobs"]:
        yield ""
        yield from (f"  {line}" for line in lined_up(_JOBS, map(_job_row, each["jobs"]), set(_JOBS[1:])))
    yield ""
    yield from (f"  {line}" for line in _remains(each["pools"]))
    yield f"  {_money(each)}"
    if each["left_out"]:
        yield f"  not in the model, as the blueprint has no nodes for them: {', '.join(each['left_out'])}"
    if each["advice"]:
        yield ""
        yield "  What would change it"
    for advice in each["advice"]:
        place, after = advice["place"], advice["hours_lost"]
        then = f"{_hours(after)} of work are lost" if after >= 0 else f"{_hours(-after)} of work are gained"
        if advice["node_hours_lost_without_work"]:
            then += (
                f", and {_hours(advice['node_hours_lost_without_work'])} of nodes without jobs are missing"
            )
        yield f"  {place['at']} {place['field']}: {advice['change']}; then {then}"


def _verdict(each: dict[str, Any]) -> str:
    if not each["lost"]:
        return (
            "nothing is lost" if each["touched"] else "nothing is lost: it does not happen to these machines"
        )
    amounts = (
        ("hours_late", "all nodes are there {} later"),
        ("hours_lost", "{} of work lost"),
        ("hours_thrown_away", "{} of work thrown away"),
        ("node_hours_lost_without_work", "{} of nodes without jobs missing"),
    )
    parts = [words.format(_hours(each[key])) for key, words in amounts if each[key] >= 0.01]  # noqa: PLR2004 - shown as 0
    more = each["usd_spent"] - each["usd_spent_without"]
    parts += [f"{more:,.2f} USD more spent"] if more > 0.01 else []  # noqa: PLR2004 - a cent
    mean = f" (the mean of {counted(each['runs'], 'run')})" if each["runs"] > 1 else ""
    return f"{', '.join(parts)}{mean}"


def _remains(pools: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The pools that keep the nodes that they have without the scenario, and those that do not."""
    wanted = [pool for pool in pools if pool["nodes"]]
    fewer = [pool for pool in wanted if pool["fewest_nodes"] < pool["fewest_nodes_without"]]
    stays = [pool["name"] for pool in wanted if pool not in fewer]
    goes = [
        f"{pool['name']} (at worst {pool['fewest_nodes']:g} of {counted(pool['nodes'], 'node')})"
        for pool in fewer
    ]
    yield from ([f"what stays: {', '.join(stays)}"] if stays else [])
    yield from ([f"what goes: {', '.join(goes)}"] if goes else [])


def _money(each: dict[str, Any]) -> str:
    unpriced = f"; no list price: {', '.join(each['without_price'])}" if each["without_price"] else ""
    return (
        f"money: {each['usd_spent']:,.2f} USD spent, {each['usd_wasted']:,.2f} of them wasted; without the "
        f"scenario {each['usd_spent_without']:,.2f}, {each['usd_wasted_without']:,.2f} wasted{unpriced}"
    )


def _hours(amount: float) -> str:
    return f"{amount:,.{1 if amount >= 1 or not amount else 2}f} hours"


def _pool_row(pool: dict[str, Any]) -> tuple[str, ...]:
    complete = pool["hours_until_complete"]
    return (
        pool["name"],
        pool["capacity"],
        str(pool["nodes"]),
        "-" if not pool["nodes"] else "never" if complete is None else f"{complete:,.1f} h",
        f"{pool['fewest_nodes']:g}",
        f"{pool['nodes_at_end']:g}",
        f"{pool['node_hours_missing']:,.1f}",
    )


def _job_row(job: dict[str, Any]) -> tuple[str, ...]:
    units = f"{job['units']} x " if job["units"] > 1 else ""
    return (
        job["name"],
        f"{units}{job['nodes']}",
        f"{job['hours']:,.1f} of {job['hours_without']:,.1f}",
        f"{job['hours_lost']:,.1f}",
        f"{job['hours_thrown_away']:,.1f}",
        f"{job['interruptions']:g}",
        f"{job['units_given_up']:g}" if job["attempts"] else "-",
    )
