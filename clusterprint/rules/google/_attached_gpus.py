"""GPUs attached to N1 machines."""

from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.machines import GuestAccelerator, MachineGroup
from clusterprint.catalog import Machine, machine


class Attached(NamedTuple):
    """An N1 machine type that GPUs can be attached to, and what is asked for."""

    machine: Machine
    asked: GuestAccelerator


def attached(group: MachineGroup) -> Attached | None:
    """The GPUs attached to a group's machines, if their type allows it."""
    found = machine(group.machine_type)
    if group.guest_accelerator is UNSET or found is None or found.series != "n1" or found.shared_core:
        return None
    return Attached(found, group.guest_accelerator)
