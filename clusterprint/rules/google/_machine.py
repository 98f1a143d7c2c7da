"""Questions of rules about the machines of a group."""

from msgspec import UNSET

from clusterprint import did_you_mean
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import Machine, is_accelerator_prefix, machine


def has_accelerator(name: str) -> bool:
    """Whether a machine type has GPUs or TPUs by its name, if there is one of that name or not."""
    return is_accelerator_prefix(name) or bool(did_you_mean.accelerator(name))


def machine_with_gpus(group: MachineGroup) -> Machine | None:
    """The machine type of a group, if it is known and its machines have GPUs, their own or attached."""
    found = machine(group.machine_type)
    if found is None or not (found.gpus or group.guest_accelerator is not UNSET):
        return None
    return found
