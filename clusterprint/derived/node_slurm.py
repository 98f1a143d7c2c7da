"""Slurm on the nodes of `kind: vm`: what they are told of it, for resolve and for rules."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.vm_slurm import NodeSlurm, SlurmPartition
from clusterprint.derived import durations, names, node_groups, slurm_queues
from clusterprint.plan.slurm import SlurmPartitionPlan, SlurmPlan, SlurmPowerPlan

_ONLY_PARTITION = SlurmPartition(name="all")


def controller(blueprint: VmBlueprint, asked: NodeSlurm) -> VmNodes | None:
    """The group whose first node is the controller; None if there is no group of that name."""
    groups = node_groups.groups(blueprint)
    named = (each for each in groups if asked.controller in (UNSET, node_groups.group_name(each)))
    return next(named, None)


def groups_of(blueprint: VmBlueprint, asked: NodeSlurm, partition: SlurmPartition) -> tuple[VmNodes, ...]:
    """The groups of nodes in a partition."""
    groups = node_groups.groups(blueprint)
    if partition.groups:
        return tuple(each for each in groups if node_groups.group_name(each) in partition.groups)
    head = controller(blueprint, asked)
    return tuple(each for each in groups if each is not head) or groups


def slurm(blueprint: VmBlueprint) -> SlurmPlan | None:
    """The settings of Slurm, the same on all nodes; None without Slurm."""
    asked = blueprint.bootstrap.slurm
    head = None if asked is UNSET else controller(blueprint, asked)
    if asked is UNSET or head is None:
        return None
    node = names.node(node_groups.prefix(blueprint, head), 0)
    found = tuple(_partitions(blueprint, asked))
    saving = asked.power_saving
    return SlurmPlan(
        controller=node,
        address=node_groups.internal_name(node, blueprint.project, node_groups.zone(blueprint, head)),
        accounting=asked.accounting is not UNSET,
        groups=tuple(dict.fromkeys(one for each in found for one in each.groups)),
        partitions=found,
        qos=slurm_queues.qos(asked),
        idle_seconds=0 if saving is UNSET else durations.seconds(saving.idle),
        power=() if saving is UNSET else tuple(_power(blueprint, asked)),
    )


def saving_groups(blueprint: VmBlueprint, asked: NodeSlurm) -> tuple[VmNodes, ...]:
    """The groups whose nodes are stopped when they have nothing to do; empty without power saving."""
    saving = asked.power_saving
    if saving is UNSET:
        return ()
    groups = node_groups.groups(blueprint)
    if saving.groups:
        return tuple(each for each in groups if node_groups.group_name(each) in saving.groups)
    partitions = asked.partitions or (_ONLY_PARTITION,)
    run_jobs = [group for each in partitions for group in groups_of(blueprint, asked, each)]
    head = controller(blueprint, asked)
    here = [each for each in groups if any(each is one for one in run_jobs)]
    return tuple(each for each in here if each is not head) or tuple(here)


def always_on(blueprint: VmBlueprint, asked: NodeSlurm, group: VmNodes) -> int:
    """How many of the first nodes of such a group are never stopped: the controller is one of them."""
    static = 0 if asked.power_saving is UNSET else asked.power_saving.static
    return max(static, 1) if group is controller(blueprint, asked) else static


def least(blueprint: VmBlueprint) -> dict[str, int]:
    """How many nodes of the groups with power saving run when no job needs any."""
    asked = blueprint.bootstrap.slurm
    if asked is UNSET:
        return {}
    return {
        node_groups.group_name(each) or "nodes": min(always_on(blueprint, asked, each), each.count)
        for each in saving_groups(blueprint, asked)
    }


def _power(blueprint: VmBlueprint, asked: NodeSlurm) -> Iterator[SlurmPowerPlan]:
    for each in saving_groups(blueprint, asked):
        yield SlurmPowerPlan(
            group=node_groups.name_on_nodes(each),
            prefix=node_groups.prefix(blueprint, each),
            static=always_on(blueprint, asked, each),
            zones=node_groups.zones(blueprint, each),
        )


def _partitions(blueprint: VmBlueprint, asked: NodeSlurm) -> Iterator[SlurmPartitionPlan]:
    written = asked.partitions or (_ONLY_PARTITION,)
    for each in written:
        groups = groups_of(blueprint, asked, each)
        machines = [catalog.machine(group.machine_type) for group in groups]
        yield slurm_queues.partition(each, written, map(node_groups.name_on_nodes, groups), machines)
