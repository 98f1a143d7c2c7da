"""GPU models of Google Cloud, and which of them can be attached to N1 machines."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class AttachLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Size of the N1 machine that a number of GPUs can be attached to: smallest and largest, inclusive."""

    vcpus: tuple[int, int]
    memory_gb: tuple[float, float]


class _GpuEntry(Fact, frozen=True, kw_only=True):
    model: str
    memory_gb: float
    attach: dict[int, AttachLimits] = {}  # noqa: RUF012 - msgspec copies it
    partitions: tuple[str, ...] = ()


class Gpu(_GpuEntry, frozen=True, kw_only=True):
    """A GPU model.

    `accelerator_type` is its name in the API and in GKE labels. `memory_gb` is the memory of one.
    `attach` maps the numbers that can be attached to an N1 machine to the limits of that machine; it
    is empty for models that come with a machine type. `partitions` are the sizes that GKE divides one
    GPU into (multi-instance GPU), smallest first; it is empty for models that are not divided.
    """

    accelerator_type: str

    @property
    def label(self) -> str:
        """For people: `H200 141GB`."""
        return f"{self.model} {self.memory_gb:g}GB"


@cache
def _table() -> dict[str, _GpuEntry]:
    return read_table("google/gpus", dict[str, _GpuEntry])


@cache
def gpu(accelerator_type: str) -> Gpu | None:
    """Find a GPU model by its accelerator type."""
    entry = _table().get(accelerator_type)
    return Gpu(accelerator_type=accelerator_type, **msgspec.structs.asdict(entry)) if entry else None


def attachable_gpu(accelerator_type: str) -> Gpu | None:
    """Find a GPU model that can be attached to N1 machines."""
    found = gpu(accelerator_type)
    return found if found and found.attach else None


def attachable_gpus() -> tuple[Gpu, ...]:
    """All GPU models that can be attached to N1 machines."""
    return tuple(found for name in _table() if (found := attachable_gpu(name)))
