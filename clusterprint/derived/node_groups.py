"""The groups of machines of `kind: vm`, and what they share.

The same answers for rules, which compare them with what was written, and for resolve, which builds on them.
"""

from collections.abc import Iterable

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from clusterprint import catalog
from clusterprint.blueprint.content import Script
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import NodeGroup, VmNodes
from clusterprint.catalog import NetworkLayout
from clusterprint.derived import names

_ONLY_GROUP = "nodes"


def groups(blueprint: VmBlueprint) -> tuple[VmNodes, ...]:
    """All groups of machines: those with names, or the one of a cluster whose machines are all alike."""
    only = () if blueprint.nodes is UNSET else (blueprint.nodes,)
    return (*only, *blueprint.node_groups)


def group_name(group: VmNodes) -> str:
    """The name of a group; empty for the one of a cluster whose machines are all alike."""
    return group.name if isinstance(group, NodeGroup) else ""


def name_on_nodes(group: VmNodes) -> str:
    """The name by which nodes know their group, which the only one of a cluster has as well."""
    return group_name(group) or _ONLY_GROUP


def prefix(blueprint: VmBlueprint, group: VmNodes) -> str:
    """The prefix of the names of a group's resources."""
    name = group_name(group)
    return names.node_group(blueprint.name, name) if name else blueprint.name


def internal_name(node: str, project_id: str, zone: str) -> str:
    """The zonal name of a node in Google's internal DNS, which outlives its addresses."""
    domain, _, project = project_id.rpartition(":")
    return ".".join(filter(None, [node, zone, "c", project, domain, "internal"]))


def zone(blueprint: VmBlueprint, group: VmNodes) -> str:
    """Where the machines of a group are; of several zones, the first."""
    if isinstance(group, NodeGroup) and group.zones:
        return group.zones[0]
    if isinstance(group, NodeGroup) and group.zone is not UNSET:
        return group.zone
    return blueprint.zone


def zones(blueprint: VmBlueprint, group: VmNodes) -> tuple[str, ...]:
    """All zones that the machines of a group are spread over, each node in the next one."""
    if isinstance(group, NodeGroup) and group.zones:
        return group.zones
    return (zone(blueprint, group),)


def keeps_boot_disk(group: VmNodes) -> bool:
    """Whether a node that is recreated under its name has its boot disk of before.

    Left out: yes, unless something else that was written contradicts it. With a kept disk no new image
    reaches a node, a broken installation stays broken, and machines that are to be deleted take their
    disks with them.
    """
    if group.boot_disk.keep is not UNSET:
        return group.boot_disk.keep
    capacity = group.capacity
    if capacity.model == "flex_start" or group.update.strategy != "opportunistic" or group.health.repair:
        return False
    if capacity.termination_action is not UNSET:
        return capacity.termination_action == "stop"
    return capacity.max_run_duration is UNSET


def startup_script(blueprint: VmBlueprint, group: VmNodes) -> Script | UnsetType:
    """The script of a group's nodes: their own, or the cluster's."""
    if isinstance(group, NodeGroup) and group.startup_script is not UNSET:
        return group.startup_script
    return blueprint.startup_script


def has_gpus(group: VmNodes) -> bool:
    """Whether the machines of a group have GPUs, their own or attached ones."""
    found = catalog.machine(group.machine_type)
    return group.guest_accelerator is not UNSET or (found is not None and found.gpus > 0)


def shows_gpus(group: VmNodes) -> bool | None:
    """The same, or None for a machine type that is not in the catalog."""
    return None if catalog.machine(group.machine_type) is None else has_gpus(group)


def have_gpus(blueprint: VmBlueprint) -> bool | None:
    """Whether any group has GPUs, if all of their machine types are in the catalog."""
    each = [shows_gpus(group) for group in groups(blueprint)]
    return None if None in each else any(each)


def have_public_addresses(blueprint: VmBlueprint) -> bool:
    """Whether there are nodes, all with public addresses."""
    several = groups(blueprint)
    return bool(several) and all(each.public_ip for each in several)


def layout(group: VmNodes) -> NetworkLayout | None:
    """The networks of the machines of a group, or None for a machine type that is not in the catalog."""
    found = catalog.machine(group.machine_type)
    return with_extra(found.network, group) if found else None


def with_extra(layout: NetworkLayout, group: VmNodes) -> NetworkLayout:
    """The networks of a machine type, with those that a group has besides."""
    return replace(layout, extra_vpcs=group.extra_networks) if group.extra_networks else layout


def more_subnets(group: VmNodes) -> int | None:
    """How many subnets besides the primary one a group needs; None if its machine type is unknown."""
    found = layout(group)
    return found.extra_vpcs + found.rdma_subnets if found else None


def has_own_networks(group: VmNodes) -> bool | None:
    """Whether the machine type of a group brings networks besides the primary one, if known."""
    found = catalog.machine(group.machine_type)
    return None if found is None else found.network.nics > 1


def lacks_interfaces(group: VmNodes) -> bool | None:
    """Whether a machine takes fewer interfaces than the group wants, if known."""
    found = catalog.machine(group.machine_type)
    if found is None:
        return None
    return group.extra_networks >= (found.network.max_nics or min(max(found.vcpus, 2), 8))


def need_gpu_networks(blueprint: VmBlueprint) -> bool | None:
    """Whether any group needs networks besides the primary one, if all of their machine types are known."""
    found = [more_subnets(each) for each in groups(blueprint)]
    return any(found) if found and None not in found else None


def restarts(group: VmNodes) -> bool:
    """Whether a group starts nodes again that shut themselves down."""
    return group.capacity.model != "flex_start" and (group.repair is not False or group.health.repair)


def stops_idle(group: VmNodes) -> bool:
    """Whether a group is stopped when nobody uses it."""
    return group.idle is not UNSET and group.idle.action == "stop"


def takes_calendar(group: VmNodes) -> bool | None:
    """Whether calendar mode is offered for the machines of a group, if known: for A3 and later GPUs."""
    found = catalog.machine(group.machine_type)
    return None if found is None else found.series.startswith(("a3-", "a4"))


def disagreement(one: NetworkLayout, other: NetworkLayout) -> str:
    """Why machines with these two layouts cannot be in one cluster; empty if they can.

    Their further networks are the same ones, counted from the first, so both have to want them alike.
    """
    if one.mtu and other.mtu and one.mtu != other.mtu:
        return f"packets of {one.mtu} and of {other.mtu} bytes"
    if one.rdma_profile and other.rdma_profile and one.rdma_profile != other.rdma_profile:
        return f"RDMA networks of profile {one.rdma_profile} and of {other.rdma_profile}"
    return ""


def joint(layouts: Iterable[NetworkLayout]) -> NetworkLayout:
    """The networks that machines of all these layouts need, which agree with each other."""
    first, *others = layouts
    for each in others:
        first = replace(
            max(first, each, key=lambda layout: (layout.fabric != "none", layout.nics)),
            extra_vpcs=max(first.extra_vpcs, each.extra_vpcs),
            rdma_vpcs=max(first.rdma_vpcs, each.rdma_vpcs),
            rdma_subnets=max(first.rdma_subnets, each.rdma_subnets),
            mtu=first.mtu or each.mtu,
            rdma_profile=first.rdma_profile or each.rdma_profile,
        )
    return first
