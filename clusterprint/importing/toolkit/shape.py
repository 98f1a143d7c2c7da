"""What a pool of GKE and a group of machines say alike."""

from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit.module import Module


def smt(module: Module, machine_type: str, *, off_by_default: bool) -> int | None:
    """Threads of a core, where it is to be said. 0 turned SMT off where Cluster Toolkit can."""
    asked = module.get("threads_per_core", 0 if off_by_default else None)
    machine = catalog.machine(machine_type)
    selectable = machine is not None and machine.threads_per_core_selectable and not machine.shared_core
    if asked == 0:
        return 1 if selectable and machine_type.rsplit("-", maxsplit=1)[-1].isdigit() else None
    return asked if asked in (1, 2) and selectable else None


def disk(module: Module) -> dict[str, Any]:
    """The boot disk, as far as it is said."""
    found: dict[str, Any] = {}
    module.into(found, "disk_type", "type")
    module.into(found, "disk_size_gb", "size_gb")
    return found


def accelerator(module: Module, machine_type: str) -> dict[str, Any]:
    """GPUs that are attached to N1, as all others come with their machines, and how they are shared."""
    listed = module.get("guest_accelerator")
    first = listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else {}
    if not first or not machine_type.startswith("n1-"):
        return first
    return {**first, "attached": {"type": first.get("type"), "count": first.get("count", 1)}}


def label(text: str, longest: int) -> str:
    """A name of a module as a name in a blueprint."""
    name = "".join(each if each.isascii() and each.isalnum() else "-" for each in text.lower()).strip("-")
    return (name if name[:1].isalpha() else f"n-{name}")[:longest].rstrip("-")
