"""Settings that pools of GKE and groups of machines share."""

from typing import Any, get_args, get_type_hints

from clusterprint import catalog
from clusterprint.blueprint.machine_disks import BootDisk
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part

_BOOT_DISKS = get_args(get_args(get_type_hints(BootDisk)["type"])[0])


def smt(module: Module, machine_type: str, asked: Any = None) -> int | None:
    """Threads of a core, where it is to be said. 0 turned SMT off where Cluster Toolkit can."""
    machine = catalog.machine(machine_type)
    selectable = machine is None or (machine.threads_per_core_selectable and not machine.shared_core)
    if asked == 0:
        # It reads the number of vCPUs off the name, which no machine with GPUs of its own says there.
        return 1 if selectable and "".join(machine_type.split("-")[2:3]).isdigit() else None
    if asked in (1, 2) and selectable:
        return int(asked)
    if asked is not None:
        module.lost("threads_per_core", f"{machine_type} offers no choice, or not this number")
    return None


def disk(module: Module, machine_type: str) -> dict[str, Any]:
    """The boot disk, as far as it is said."""
    found: dict[str, Any] = {}
    machine = catalog.machine(machine_type)
    kind = module.get("disk_type")
    if kind and kind not in _BOOT_DISKS:
        module.lost("disk_type", f"{kind} is no type of boot disks here")
    elif kind and (not module.leaves_out("disk_type") or (machine and kind in machine.boot_disk_types)):
        found["type"] = kind
    module.into(found, "disk_size_gb", "size_gb")
    return found


def accelerator(module: Module, machine_type: str, found: dict[str, Any]) -> Part | None:
    """GPUs that are attached to N1; all others come with their machines, in the number that those have."""
    first: Part | None = None
    for number, each in enumerate(module.parts("guest_accelerator")):
        if number:
            continue  # what nobody asks of it is told
        first = each
        if machine_type.startswith("n1-"):
            found["guest_accelerator"] = {"type": each.get("type"), "count": each.get("count", 1)}
            continue
        each.follows("GPUs come with their machines", "type")
        machine = catalog.machine(machine_type)
        if machine is None:
            each.follows("GPUs come with their machines", "count")
        else:
            each.same("count", machine.gpus, 0)
    return first


def label(text: str, longest: int) -> str:
    """A name of a module as a name in a blueprint."""
    name = "".join(each if each.isascii() and each.isalnum() else "-" for each in text.lower()).strip("-")
    return (name if name[:1].isalpha() else f"n-{name}")[:longest].rstrip("-")
