"""The machines that have what is needed: so many of each, where they are, and how they are sold."""

import math
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple

from clusterprint import catalog
from clusterprint.catalog import CapacityModel, Machine, TpuType
from clusterprint.choose.need import Need, means


class Candidate(NamedTuple):
    """Machines of one type; `zones` is None where nothing is known. `notes` are limits worth knowing."""

    kinds: tuple[str, ...]
    machine_type: str
    accelerator: str
    each: int
    nodes: int
    nics: int
    fabric: str
    capacity: Mapping[CapacityModel, bool | None]
    zones: tuple[str, ...] | None
    notes: tuple[str, ...] = ()
    attached: tuple[str, int] | None = None
    topology: str = ""
    slices: int = 1


def candidates(need: Need) -> list[Candidate]:
    """All machine types that have the accelerator; those too large for the need only if all are."""
    found = [*_google(need), *_attached(need), *_tpus(need), *_azure(need)]
    fitting = [each for each in found if each.each <= need.accelerators]
    if fitting or not found:
        return fitting
    least = min(each.each for each in found)
    return [each for each in found if each.each == least]


def _google(need: Need) -> Iterator[Candidate]:
    for machine in catalog.machines():
        whole = machine.gpus >= 1 and not machine.name.endswith("-nolssd")
        if (
            not machine.gpu
            or not whole
            or not means(need.model, machine.gpu.label, machine.gpu.accelerator_type)
        ):
            continue
        layout = machine.network
        yield Candidate(
            kinds=("gke", "ray") if machine.supported_on_vm else ("vm", "gke", "ray"),
            machine_type=machine.name,
            accelerator=machine.gpu.label,
            each=int(machine.gpus),
            nodes=math.ceil(need.accelerators / machine.gpus),
            nics=layout.nics,
            fabric=layout.fabric_in_words,
            capacity=machine.capacity,
            zones=machine.zones,
            notes=tuple(_limits(machine)),
        )


def _limits(machine: Machine) -> Iterator[str]:
    if machine.max_group_size:
        yield f"at most {machine.max_group_size} machines close together in one group"
    if machine.supported_on_vm:
        yield f"not as machines of kind vm: {machine.supported_on_vm}"
    if machine.reservation_bound:
        yield "reservation: through the AI Hypercomputer, and machines end with it"
    if machine.capacity.get("flex_start"):
        yield "flex_start: queued, and at most 7 days"


def _attached(need: Need) -> Iterator[Candidate]:
    for gpu in catalog.attachable_gpus():
        if not means(need.model, gpu.label, gpu.accelerator_type):
            continue
        count = max(each for each in gpu.attach if each <= need.accelerators)
        limits = gpu.attach[count]
        sizes = [catalog.machine(f"n1-standard-{vcpus}") for vcpus in (8, 16, 32, 64, 96)]
        machine = next(
            each for each in sizes if each and limits.vcpus[0] <= each.vcpus <= limits.vcpus[1]
        )  # fmt: skip
        yield Candidate(
            kinds=("vm", "gke", "ray"),
            machine_type=machine.name,
            accelerator=gpu.label,
            each=count,
            nodes=math.ceil(need.accelerators / count),
            nics=1,
            fabric="",
            capacity=machine.capacity,
            zones=catalog.zones_of(gpu.accelerator_type),
            attached=(gpu.accelerator_type, count),
        )


def _tpus(need: Need) -> Iterator[Candidate]:
    for tpu in catalog.tpu_types():
        if not means(need.model, f"TPU {tpu.name}", tpu.name, *tpu.aliases, f"tpu{tpu.name}"):
            continue
        for name, machine in tpu.machines.items():
            topology, slices = _slices(tpu, name, need.accelerators)
            if not topology:
                continue
            yield Candidate(
                kinds=("gke", "ray"),
                machine_type=name,
                accelerator=f"TPU {tpu.name}",
                each=machine.chips,
                nodes=(tpu.node_count(topology, name) or 1) * slices,
                nics=1,
                fabric="ICI",
                capacity=tpu.capacity,
                zones=catalog.zones_of(name),
                notes=(f"{slices} slice{'s' if slices > 1 else ''} of {topology}",),
                topology=topology,
                slices=slices,
            )


def _slices(tpu: TpuType, machine_type: str, chips: int) -> tuple[str, int]:
    """As few slices as make up so many chips, and the shape of each; without a shape, there are none."""
    for slices in range(1, chips + 1):
        each, rest = divmod(chips, slices)
        shape = "" if rest else _shape(tpu, machine_type, each)
        if shape:
            return shape, slices
    return "", 0


def _shape(tpu: TpuType, machine_type: str, chips: int) -> str:
    """The shape of a slice of so many chips, as near to a cube as there is; empty if there is none."""
    per_host = tpu.machines[machine_type].chips
    small = (shape for shape, hosts in tpu.slices(machine_type).items() if hosts * per_host == chips)
    return next(chain(small, filter(partial(tpu.node_count, machine_type=machine_type), _boxes(chips))), "")


def _boxes(chips: int) -> Iterator[str]:
    """Boxes of cubes of 4x4x4 chips, edges ascending, the shortest longest edge first."""
    cubes, rest = divmod(chips, 64)
    edges = [] if rest else [each for each in range(1, cubes + 1) if cubes % each == 0]
    found = [
        (cubes // (one * two), two, one)
        for one in edges
        for two in edges
        if cubes % (one * two) == 0 and one <= two <= cubes // (one * two)
    ]
    for long, middle, short in sorted(found):
        yield f"{4 * short}x{4 * middle}x{4 * long}"


def _azure(need: Need) -> Iterator[Candidate]:
    for size in catalog.azure_sizes():
        if not size.gpus or not means(need.model, size.gpu_model):
            continue
        yield Candidate(
            kinds=("vmss",),
            machine_type=size.name,
            accelerator=size.gpu_model,
            each=size.gpus,
            nodes=math.ceil(need.accelerators / size.gpus),
            nics=1,
            fabric=f"InfiniBand {size.ib_hcas}x" if size.ib_hcas else "",
            capacity={"on_demand": True, "spot": True, "flex_start": False, "reservation": True},
            zones=None,
        )
