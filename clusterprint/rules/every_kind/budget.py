from typing import NamedTuple

from clusterprint import catalog
from clusterprint.blueprint.blueprint import Blueprint, Budget
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.capacity_models import CapacityModel
from clusterprint.derived import auto_creation, durations, node_groups, node_pools, node_slurm, scale_sets
from clusterprint.derived.durations import HOURS_OF_A_MONTH
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
    """The groups with a list price, as `list` counts their machines."""
    if isinstance(blueprint, VmBlueprint):
        yield from _of_vm(blueprint)
    elif isinstance(blueprint, KubernetesBlueprint):
        yield from _of_kubernetes(blueprint)
    elif isinstance(blueprint, VmssBlueprint):
        nodes, head = blueprint.nodes, scale_sets.head_size(blueprint.head_node, blueprint.nodes)
        hours, place = _hours(blueprint.time_to_live), str(blueprint.location)
        price = catalog.hourly_price(str(nodes.size), nodes.capacity.model, place)
        cost = (price.usd if price else 0) * nodes.count * hours
        yield _Cost("nodes", cost, cost)
        price = catalog.hourly_price(str(head), "on_demand", place)
        cost = (price.usd if price else 0) * hours
        yield _Cost("head", cost, cost)


def _of_kubernetes(blueprint: KubernetesBlueprint) -> Iterator[_Cost]:
    system = blueprint.system_pool
    if blueprint.cluster.existing is UNSET:
        zones = system.zones or (node_pools.default_zone(blueprint),)
        price = catalog.hourly_price(str(system.machine_type), "on_demand", catalog.region_of(zones[0]))
        each = (
            (price.usd if price else 0)
            * HOURS_OF_A_MONTH
            * (len(zones) if system.autoscaling.per_zone else 1)
        )
        yield _Cost(node_pools.SYSTEM_POOL, system.autoscaling.min * each, system.autoscaling.max * each)
    for pool in blueprint.node_pools:
        zones = node_pools.zones(blueprint, pool)
        most = node_pools.max_nodes(blueprint, pool)
        least = most if node_pools.is_fixed(pool) else _least(pool, len(zones))
        yield _google(pool, pool.capacity.model, str(pool.name), (least, most), zones[0])
    for created in blueprint.compute_classes:
        if isinstance(created.auto_create, AutoCreation):
            pool = auto_creation.as_pool(created, created.auto_create)
            model = auto_creation.dearest(way.model for way in created.auto_create.capacity)
            most = node_pools.max_nodes(blueprint, pool)
            yield _google(pool, model, str(pool.name), (0, most), node_pools.zones(blueprint, pool)[0])


def _least(pool: NodePool, zones: int) -> int:
    if pool.autoscaling is UNSET:
        return 0  # flex_start: nodes come with the work
    return pool.autoscaling.min * (zones if pool.autoscaling.per_zone else 1) * node_pools.slices(pool)


def _of_vm(blueprint: VmBlueprint) -> Iterator[_Cost]:
    groups = (*(() if blueprint.nodes is UNSET else (blueprint.nodes,)), *blueprint.node_groups)
    awake = node_slurm.least(blueprint)
    for group in groups:
        name = node_groups.group_name(group) or "nodes"
        nodes = awake.get(name, group.count), group.count
        cost = _google(group, group.capacity.model, name, nodes, node_groups.zones(blueprint, group)[0])
        part = min(_hours(blueprint.time_to_live), _hours(group.capacity.max_run_duration)) / HOURS_OF_A_MONTH
        yield _Cost(name, cost.least * part, cost.most * part)


def _google(group: MachineGroup, model: CapacityModel, name: str, nodes: tuple[int, int], zone: str) -> _Cost:
    region = catalog.region_of(zone)
    found = catalog.hourly_price(str(group.machine_type), model, region)
    hourly = found.usd if found else 0
    machine = catalog.machine(str(group.machine_type))
    if group.guest_accelerator is not UNSET and machine and not machine.gpus:
        gpu = catalog.gpu_hourly_price(group.guest_accelerator.type, model, region)
        hourly += (gpu.usd if gpu else 0) * group.guest_accelerator.count
    return _Cost(name, hourly * nodes[0] * HOURS_OF_A_MONTH, hourly * nodes[1] * HOURS_OF_A_MONTH)


def _hours(ends: object) -> float:
    """The hours of a month in which machines run that end after a time."""
    return (
        min(HOURS_OF_A_MONTH, durations.seconds(ends) / 3600) if isinstance(ends, str) else HOURS_OF_A_MONTH
    )
