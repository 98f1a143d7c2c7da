"""Capacity models of machine types, and messages about them."""

from typing import Any

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import CapacityModel, Machine, TpuType, machine, tpu_type_of
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, listed


def offered(group: MachineGroup) -> Machine | TpuType | None:
    """The known capacity models of a group's machines, by machine type or TPU type."""
    return machine(group.machine_type) or tpu_type_of(group.machine_type)


def findings(group: MachineGroup, context: Context, *, sold: bool | None, words: str) -> Iterator[Finding]:
    """A finding, in these words, about a group whose machines are sold so under its model (`is_sold`)."""
    found = offered(group)
    model = group.capacity.model
    if found is None or names_other_reservation(group, context) or is_sold(found, model) is not sold:
        return
    written = context.wrote(group.capacity, "model")
    yield Finding(
        f"{group.machine_type} {words} under capacity model {model}" + ("" if written else " (the default)"),
        model_label(group, context),
        also=(context.at(group, "machine_type", text="the machine type"),) if written else (),
        help=help_for(found),
    )


def refused_boot_disks(group: Any, context: Context, *, certain: bool) -> Iterator[Finding]:
    """A finding about a boot disk that is not in the list of its machine type, which is certain or not."""
    found = offered(group)
    wanted = group.boot_disk.type
    if found is None or wanted is UNSET or wanted in (found.boot_disk_types or [wanted]):
        return
    if found.is_certain("boot_disk_types") is not certain:
        return
    message = (
        f"{group.machine_type} does not support {wanted} boot disks"
        if certain
        else f"{group.machine_type} is not known to support {wanted} boot disks"
    )
    yield Finding(
        message,
        context.at(group.boot_disk, "type"),
        also=(context.at(group, "machine_type", text="the machine type"),),
        help=f"remove type, or write {listed(found.boot_disk_types)}",
    )


def is_sold(machine: Machine | TpuType, model: CapacityModel) -> bool | None:
    """Whether a machine type is sold under a capacity model; None where that is not certain."""
    sold = machine.capacity.get(model)
    return None if sold is False and not machine.is_certain("capacity") else sold


def names_other_reservation(group: MachineGroup, context: Context) -> bool:
    """Whether a reservation is named although the capacity model is another."""
    return group.capacity.model != "reservation" and context.wrote(group.capacity, "reservation")


def model_label(group: MachineGroup, context: Context, text: str = "") -> Label:
    """Where the capacity model was decided: the model, or the machine type if it was left out."""
    if context.wrote(group.capacity, "model"):
        return context.at(group.capacity, "model", text=text)
    return context.at(group, "machine_type", text=text)


def models_sold(machine: Machine | TpuType) -> str:
    """The models that a machine type is sold under for certain, as a phrase; empty if there are none."""
    return listed([model for model, sold in machine.capacity.items() if sold])


def help_for(machine: Machine | TpuType) -> str:
    """The help for a capacity model that is not sold."""
    models = models_sold(machine)
    return (
        f"set capacity.model to {models}"
        if models
        else "ask Google which capacity models are available to you"
    )
