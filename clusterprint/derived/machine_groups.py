"""The machines of a blueprint: the same that a review reads off what is built, but for the addresses.

In place of an address, each has the place of the group or pool in the blueprint.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.broken import met_broken
from clusterprint.blueprint.gke.compute_classes import AutoCreation, ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.catalog import region_of
from clusterprint.derived import auto_creation, node_groups, node_pools, scale_sets
from clusterprint.derived.machines import Machines
from clusterprint.document import Place


class Group(NamedTuple):
    """Machines of one sort, the place in the blueprint that asks for them, and the zones that they are in."""

    place: Place
    machines: Machines
    zones: tuple[str, ...] = ()


def groups_of(blueprint: Blueprint) -> list[Group]:
    """All groups of machines, in the order of the blueprint; those with mistakes are left out."""
    found: list[Group] = []
    for place, make in _makers(blueprint):
        try:
            group = make(place)
            hash(group)  # looks at every value, also at those that were only passed on
        except Exception as error:
            if not met_broken(error):
                raise
        else:
            found += [group] if group and group.machines.most else []
    return found


_Maker = tuple[Place, Callable[[Place], Group | None]]


def _makers(blueprint: Blueprint) -> Iterator[_Maker]:
    if isinstance(blueprint, VmBlueprint):
        yield from _of_vm(blueprint)
    elif isinstance(blueprint, KubernetesBlueprint):
        yield from _of_kubernetes(blueprint)
    elif isinstance(blueprint, VmssBlueprint):
        yield ("nodes",), partial(_scale_set, blueprint)
        yield ("head_node",), partial(_head, blueprint)


def _items(part: Any, name: str) -> tuple[Any, ...]:
    """The items of a list; none if the list as a whole is a mistake."""
    found = getattr(part, name)
    return found if isinstance(found, tuple) else ()


# ---- Google Cloud


def _of_vm(blueprint: VmBlueprint) -> Iterator[_Maker]:
    if blueprint.nodes is not UNSET:
        yield ("nodes",), partial(_vm_group, blueprint, blueprint.nodes)
    for index, group in enumerate(_items(blueprint, "node_groups")):
        yield ("node_groups", index), partial(_vm_group, blueprint, group)


def _vm_group(blueprint: VmBlueprint, group: VmNodes, place: Place) -> Group:
    zones = node_groups.zones(blueprint, group)
    name = node_groups.group_name(group) or "nodes"
    return Group(place, _google(name, group, group.count, group.count, region_of(zones[0])), zones)


def _google(name: str, group: MachineGroup, nodes: int, most: int, region: str) -> Machines:
    attached = group.guest_accelerator
    return Machines(
        address=name,
        name=str(name),
        machine_type=str(group.machine_type),
        model=group.capacity.model,
        nodes=nodes,
        most=most,
        accelerator="" if attached is UNSET else attached.type,
        accelerators=0 if attached is UNSET else attached.count,
        region=str(region),
    )


def _of_kubernetes(blueprint: KubernetesBlueprint) -> Iterator[_Maker]:
    yield ("system_pool",), partial(_system_pool, blueprint)
    for index, pool in enumerate(_items(blueprint, "node_pools")):
        yield ("node_pools", index), partial(_pool, blueprint, pool)
    for index, each in enumerate(_items(blueprint, "compute_classes")):
        if isinstance(each.auto_create, AutoCreation):
            place = ("compute_classes", index, "auto_create")
            yield place, partial(_created, blueprint, each, each.auto_create)


def _system_pool(blueprint: KubernetesBlueprint, place: Place) -> Group | None:
    if blueprint.cluster.existing is not UNSET:
        return None
    pool = blueprint.system_pool
    zones = pool.zones or (node_pools.default_zone(blueprint),)
    times = len(zones) if pool.autoscaling.per_zone else 1
    machines = Machines(
        address=node_pools.SYSTEM_POOL,
        name=node_pools.SYSTEM_POOL,
        machine_type=str(pool.machine_type),
        model="on_demand",
        nodes=pool.autoscaling.min * times,
        most=pool.autoscaling.max * times,
        region=region_of(zones[0]),
    )
    return Group(place, machines, zones)


def _pool(blueprint: KubernetesBlueprint, pool: NodePool, place: Place) -> Group:
    zones = node_pools.zones(blueprint, pool)
    most = node_pools.max_nodes(blueprint, pool)
    if node_pools.is_fixed(pool):
        least = most
    elif pool.autoscaling is UNSET:
        least = 0  # flex_start: nodes come with the work
    else:
        least = pool.autoscaling.min * (len(zones) if pool.autoscaling.per_zone else 1)
        least *= node_pools.slices(pool)
    return Group(place, _google(pool.name, pool, least, most, region_of(zones[0])), zones)


def _created(
    blueprint: KubernetesBlueprint, compute_class: ComputeClass, nodes: AutoCreation, place: Place
) -> Group:
    """Nodes that GKE makes pools for: as many as are counted on."""
    pool = auto_creation.as_pool(compute_class, nodes)
    group = _pool(blueprint, pool, place)
    model = auto_creation.dearest(each.model for each in nodes.capacity)
    return group._replace(machines=group.machines._replace(nodes=0, model=model))


# ---- Azure


def _scale_set(blueprint: VmssBlueprint, place: Place) -> Group:
    nodes = blueprint.nodes
    zones = () if nodes.zone is UNSET else (f"{blueprint.location}-{nodes.zone}",)
    model = nodes.capacity.model
    machines = Machines(
        address="nodes",
        name="nodes",
        machine_type=str(nodes.size),
        model=model,
        nodes=nodes.count,
        most=nodes.count,
        region=str(blueprint.location),
    )
    return Group(place, machines, zones)


def _head(blueprint: VmssBlueprint, place: Place) -> Group:
    size = scale_sets.head_size(blueprint.head_node, blueprint.nodes)
    machines = Machines("head", "head", str(size), "on_demand", 1, 1, region=str(blueprint.location))
    return Group(place, machines)
