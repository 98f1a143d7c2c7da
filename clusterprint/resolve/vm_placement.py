"""Placement policies of the nodes of a group of kind `vm`."""

from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import names
from clusterprint.plan.google import PolicyKind, PolicyPlan

PlacementKind: TypeAlias = Literal["none"] | PolicyKind


def resolve_placement(nodes: VmNodes, machine: catalog.Machine) -> PlacementKind:
    """The placement in the blueprint, else the closest that machine type and capacity model allow."""
    if nodes.placement.policy is not UNSET:
        return nodes.placement.policy
    workload = machine.workload_policy
    if workload and workload.required:
        return "workload"
    # A reservation is placed already, and refuses machines with a policy that it was not made with.
    # Without a fabric between machines, closeness is a wish, not a need. The number of nodes plays no part:
    # a policy cannot go while a node still has it, so resizing must not take it away.
    if nodes.capacity.model == "reservation" or machine.network.fabric == "none":
        return "none"
    if workload and nodes.capacity.model in workload.models and not workload.on_request:
        return "workload"
    return "compact" if machine.compact_placement and nodes.capacity.model == "on_demand" else "none"


def resolve_policy(
    prefix: str, nodes: VmNodes, machine: catalog.Machine, placement: PlacementKind
) -> PolicyPlan | None:
    """The policy that is made for a group; None where it has none, or one that is there."""
    if placement == "none" or nodes.placement.existing is not UNSET:
        return None
    workload = machine.workload_policy
    distance = nodes.placement.max_topology_distance
    return PolicyPlan(
        kind=placement,
        name=names.placement_policy(prefix, distinction(nodes, machine, placement)),
        accelerator_topology=workload.accelerator_topology if placement == "workload" and workload else "",
        max_topology_distance="" if distance is UNSET else distance.upper(),
    )


def existing_policy(blueprint: VmBlueprint, nodes: VmNodes) -> str:
    """The path of the policy that is there and used instead; empty without one."""
    if nodes.placement.existing is UNSET:
        return ""
    return (
        f"projects/{blueprint.project}/regions/{blueprint.region}/resourcePolicies/{nodes.placement.existing}"
    )


def distinction(nodes: VmNodes, machine: catalog.Machine, placement: PlacementKind) -> str:
    """The identity of a placement among all that the same nodes could have; empty for none.

    A policy cannot change, nor go while a node or a group has it, and a group with nodes keeps the one that
    it has. So both are named after the placement: another one is another policy for another group.
    """
    if placement == "none":
        return ""
    if nodes.placement.existing is not UNSET:
        return sha256(nodes.placement.existing.encode()).hexdigest()[:8]
    if nodes.placement.max_topology_distance is not UNSET:
        return nodes.placement.max_topology_distance
    topology = machine.workload_policy.accelerator_topology if machine.workload_policy else ""
    return topology if placement == "workload" and topology else placement
