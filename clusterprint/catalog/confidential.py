"""Machines that encrypt their memory, and how."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class Confidential(Fact, frozen=True, kw_only=True):
    """A technology that encrypts memory.

    `machines` is how the names of types that have it begin, `gpu_machines` the types whose GPUs take part.
    Virtual machines ask for processors from `min_cpu_platform` on; empty where every processor will do.
    """

    machines: tuple[str, ...]
    gpu_machines: tuple[str, ...] = ()
    min_cpu_platform: str = ""


@cache
def _technologies() -> dict[str, Confidential]:
    return read_table("google/confidential", dict[str, Confidential])


def has_confidential(machine_type: str, technology: str) -> bool:
    """Whether a machine type is known to have a technology."""
    found = _technologies()[technology]
    return machine_type.startswith(found.machines) or machine_type in found.gpu_machines


def confidential_machines(technology: str) -> tuple[str, ...]:
    """The machine types that have a technology, as patterns for people."""
    found = _technologies()[technology]
    return (*(f"{each}*" for each in found.machines), *found.gpu_machines)


def confidential_processors(technology: str) -> str:
    """The oldest processors that a virtual machine has to ask for; empty where every one will do."""
    return _technologies()[technology].min_cpu_platform
