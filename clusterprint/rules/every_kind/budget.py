from typing import NamedTuple

from clusterprint.blueprint.blueprint import Blueprint, Budget
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import durations, node_slurm
from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.derived.machine_groups import groups_of
from clusterprint.derived.machines import price_of
from clusterprint.document import Place
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


class _Cost(NamedTuple):
    """US dollars of a group in a month: with the nodes that always run, and with all that it may have."""

    name: str
    least: float
    most: float


@rule("BP280", severity=Severity.WARNING)
def budget_below_least(budget: Budget, context: Context) -> Iterator[Finding]:
    costs = [each for each in costs_of(context.blueprint) if each.least]
    least = sum(each.least for each in costs)
    if least > budget.per_month:
        yield Finding(
            f"the nodes that always run, of {_names(costs)}, cost ${least:,.2f} a month at list prices; "
            f"the budget is ${budget.per_month:,.2f}",
            context.at(budget, "per_month"),
            help="have fewer nodes, or a higher budget",
        )


@rule("BP281", severity=Severity.WARNING)
def budget_below_most(budget: Budget, context: Context) -> Iterator[Finding]:
    costs = list(costs_of(context.blueprint))
    least, most = sum(each.least for each in costs), sum(each.most for each in costs)
    if least <= budget.per_month < most:
        yield Finding(
            f"the cluster may cost ${most:,.2f} a month at list prices with all nodes of "
            f"{_names(_grown(costs))}; the budget is ${budget.per_month:,.2f}",
            context.at(budget, "per_month"),
            help="let them have fewer nodes, or have a higher budget",
        )


def _names(costs: list[_Cost]) -> str:
    return listed([each.name for each in costs], "and")


def _grown(costs: list[_Cost]) -> list[_Cost]:
    return [each for each in costs if each.most > each.least]


def costs_of(blueprint: Blueprint) -> Iterator[_Cost]:
    """The groups with a list price, for the hours of a month in which their machines exist."""
    awake = node_slurm.least(blueprint) if isinstance(blueprint, VmBlueprint) else {}
    for place, machines, _ in groups_of(blueprint):
        price = price_of(machines)
        if price:
            usd = price.usd * _hours(blueprint, place)
            least = awake.get(machines.name, machines.nodes)
            yield _Cost(machines.name, usd * least, usd * machines.most)


def _hours(blueprint: Blueprint, place: Place) -> float:
    """The hours of a month in which machines run that end after a time."""
    ends: list[object] = []
    if isinstance(blueprint, VmBlueprint | VmssBlueprint):
        ends = [blueprint.time_to_live]
    if isinstance(blueprint, VmBlueprint):
        group = blueprint.nodes if place == ("nodes",) else blueprint.node_groups[int(place[1])]
        ends += [] if group is UNSET else [group.capacity.max_run_duration]
    return min(
        (HOURS_OF_A_MONTH, *(durations.seconds(each) / 3600 for each in ends if isinstance(each, str)))
    )
