"""Placement policies and the machine types that take them."""

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import Machine, machine


def placed_compactly(nodes: MachineGroup) -> Machine | None:
    """The machine type, if nodes of it can be and are to be placed by a compact policy."""
    if nodes.placement.policy != "compact":
        return None
    found = machine(nodes.machine_type)
    if found is None or not found.compact_placement or needs_workload_policy(found):
        return None
    return found


def needs_workload_policy(found: Machine) -> bool:
    """Whether machines of a type cannot be had without a workload policy."""
    return found.workload_policy is not None and found.workload_policy.required
