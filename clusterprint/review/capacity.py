"""Capacity before and after: machines counted by family of accelerator and by how they are obtained."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from clusterprint import catalog
from clusterprint.derived.machines import Machines
from clusterprint.review.model import Amount, Capacity, CapacityModel

Unit = Literal["GPU", "TPU chip", "node"]

_UNITS: tuple[Unit, ...] = ("GPU", "TPU chip", "node")


class Family(NamedTuple):
    """The accelerators of one sort of machine, all of one family."""

    name: str
    unit: Unit
    each: float


def family(machines: Machines) -> Family:
    """The family of machines; one that the catalog does not know goes by its machine type."""
    name = machines.machine_type
    if tpu := catalog.tpu_type_of(name):
        return Family(f"TPU {tpu.name}", "TPU chip", tpu.machines[name].chips)
    if size := catalog.azure_size(name):
        return (
            Family(size.gpu_model, "GPU", size.gpus) if size.gpus else Family(f"CPU {size.family}", "node", 0)
        )
    machine = catalog.machine(name)
    if machine and machine.gpu and machine.gpus:
        return Family(machine.gpu.label, "GPU", machine.gpus)
    if machines.accelerator and machines.accelerators:
        attached = catalog.gpu(machines.accelerator)
        return Family(attached.label if attached else machines.accelerator, "GPU", machines.accelerators)
    return Family(f"CPU {machine.series}" if machine else name, "node", 0)


def capacity(before: Iterable[Machines], after: Iterable[Machines]) -> tuple[Capacity, ...]:
    """A row for each family and capacity model that either side has: accelerators first, then by name."""
    was, now = _amounts(before), _amounts(after)
    keys = sorted({*was, *now}, key=lambda key: (_UNITS.index(key[1]), key))
    return tuple(
        Capacity(
            family=key[0],
            unit=key[1],
            model=key[2],
            before=was.get(key, Amount()),
            after=now.get(key, Amount()),
        )
        for key in keys
    )


def _amounts(machines: Iterable[Machines]) -> dict[tuple[str, Unit, CapacityModel], Amount]:
    found: dict[tuple[str, Unit, CapacityModel], Amount] = {}
    for each in machines:
        of = family(each)
        key = (of.name, of.unit, each.model)
        so_far = found.get(key, Amount())
        found[key] = Amount(
            nodes=so_far.nodes + each.nodes,
            most_nodes=so_far.most_nodes + each.most,
            accelerators=so_far.accelerators + float(each.nodes * of.each),
            most_accelerators=so_far.most_accelerators + float(each.most * of.each),
        )
    return found
