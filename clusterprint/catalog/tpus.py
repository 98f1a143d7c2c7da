"""TPU types of Google Cloud, their machines and the shapes of their slices."""

import math
import re
from functools import cache
from typing import Literal

import msgspec

from clusterprint.capacity_models import CapacityModel
from clusterprint.catalog.fact import Fact, read_table

# Larger 3D slices are made of cubes with this many chips along each edge.
_CUBE = 4
_HOST = 4


class TpuMachine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine type with TPU chips; `single_host` ones cannot be part of a larger slice.

    `device_class` is what pods claim the interfaces besides the first by, where GKE makes their networks.
    """

    chips: int
    vcpus: int | None
    memory_gb: float | None
    single_host: bool = False
    device_class: str = ""


class _TpuEntry(Fact, frozen=True, kw_only=True):
    accelerator_label: str
    dimensions: Literal[2, 3]
    max_chips: int
    small_shapes: tuple[str, ...]
    machines: dict[str, TpuMachine]
    capacity: dict[CapacityModel, bool | None]
    aliases: tuple[str, ...] = ()
    cores_per_chip: int = 1
    max_cubes: int = 0
    sorted_dimensions: bool = False
    boot_disk_types: tuple[str, ...] = ()
    flex_start_zones: tuple[str, ...] = ()
    workload_policy_when_multi_host: bool = False


class TpuType(_TpuEntry, frozen=True, kw_only=True):
    """A TPU generation.

    `accelerator_label` is the value of the GKE node label. A slice has one of the `small_shapes`, or,
    in three dimensions, is made of at most `max_cubes` cubes of 4x4x4 chips, with ascending edges if
    `sorted_dimensions`. Sizes in names such as `v5p-8` count cores, `cores_per_chip` for each chip.
    `boot_disk_types` is empty where nothing is known. `zones` of a type are found with `zones_of`.
    """

    name: str

    def is_slice(self, topology: str) -> bool:
        """Whether a topology such as `4x4x8` is a slice of this type."""
        if topology in self.small_shapes:
            return True
        edges = _edges(topology)
        if len(edges) != self.dimensions or not self.max_cubes:
            return False
        return (
            all(edge % _CUBE == 0 for edge in edges)
            and math.prod(edge // _CUBE for edge in edges) <= self.max_cubes
            and (not self.sorted_dimensions or list(edges) == sorted(edges))
        )

    def slices(self, machine_type: str) -> dict[str, int]:
        """The small slices that machines of a type make up, smallest first, each with its number of hosts."""
        counted = ((shape, self.node_count(shape, machine_type)) for shape in self.small_shapes)
        return {shape: hosts for shape, hosts in counted if hosts}

    def shapes_of(self, chips: int) -> tuple[str, ...]:
        """The slices with a number of chips: edges ascend from 4x4x4 on, the most compact one first."""
        small = tuple(shape for shape in self.small_shapes if math.prod(_edges(shape)) == chips)
        cubes, rest = divmod(chips, _CUBE**3)
        if small or rest or not 0 < cubes <= self.max_cubes:
            return small
        counts = range(1, cubes + 1)
        edges = [
            (a, b, cubes // (a * b))
            for a in counts
            if a**3 <= cubes and not cubes % a
            for b in counts
            if a <= b and a * b * b <= cubes and not cubes % (a * b)
        ]
        return tuple("x".join(str(_CUBE * edge) for edge in each) for each in sorted(edges, key=sum))

    def node_count(self, topology: str, machine_type: str) -> int | None:
        """How many machines make up a slice; None if the two do not fit together."""
        machine = self.machines.get(machine_type)
        if machine is None or not self.is_slice(topology):
            return None
        nodes, rest = divmod(math.prod(_edges(topology)), machine.chips)
        return None if rest or (machine.single_host and nodes != 1) else nodes


@cache
def _table() -> dict[str, TpuType]:
    entries = read_table("google/tpus", dict[str, _TpuEntry])
    return {name: TpuType(name=name, **msgspec.structs.asdict(entry)) for name, entry in entries.items()}


def tpu_type(name: str) -> TpuType | None:
    """Find a TPU type by its name or by another name in use, such as `trillium`."""
    return next((found for key, found in _table().items() if name in {key, *found.aliases}), None)


def tpu_slice(name: str) -> tuple[str, str]:
    """The machine type and the topology of a slice as XPK names it, empty if there is no such slice.

    Names have a size, of which XPK takes the most compact slice, or a topology: `v6e-16`, `tpu7x-4x4x4`.
    """
    kind, _, size = name.lower().removeprefix("tpu-").rpartition("-")
    tpu = tpu_type(kind)
    if tpu is None or not re.fullmatch("[1-9][0-9]{0,4}(x[1-9][0-9]{0,4})*", size):
        return "", ""
    chips, rest = (0, 0) if "x" in size else divmod(int(size), tpu.cores_per_chip)
    shapes = (size,) if "x" in size else () if rest else tpu.shapes_of(chips)
    # Machines with four chips are in slices of several hosts.
    machines = sorted(tpu.machines, key=lambda each: (tpu.machines[each].chips != _HOST, each))
    return next(
        ((machine, shape) for shape in shapes for machine in machines if tpu.node_count(shape, machine)),
        ("", ""),
    )


def tpu_type_of(machine_type: str) -> TpuType | None:
    """Find the TPU type of a machine type, such as `ct5p-hightpu-4t`."""
    return next((found for found in _table().values() if machine_type in found.machines), None)


def tpu_types() -> tuple[TpuType, ...]:
    """All TPU types."""
    return tuple(_table().values())


def _edges(topology: str) -> tuple[int, ...]:
    parts = topology.split("x")
    if not all(part.isascii() and part.isdigit() and not part.startswith("0") for part in parts):
        return ()
    return tuple(map(int, parts))
