"""Names of accelerators in other tools, as machine types."""

import math

from clusterprint import catalog

# Short names, as SkyPilot and XPK have them, and the type of accelerator that is meant.
_SHORT = {
    "a100": "nvidia-tesla-a100",
    "h100": "nvidia-h100-80gb",
    "h100-mega": "nvidia-h100-mega-80gb",
    "h200": "nvidia-h200-141gb",
}
# TPUs whose number in a name counts cores, of which a chip has two.
_CORES = ("v4", "v5p")
# In the order in which slices of several hosts are made of them.
_SUFFIXES = ("-4t", "-1t", "-8t")


def gpu_machine(name: str, count: int) -> str:
    """The smallest machine type with as many GPUs, empty where there is none."""
    plain = name.lower().replace("_", "-")
    wanted = {_SHORT.get(plain, ""), f"nvidia-{plain}", f"nvidia-tesla-{plain}"}
    found = (each for each in catalog.machines() if each.gpu and each.gpu.accelerator_type in wanted)
    fitting = [each for each in found if each.gpus == count]
    return min(fitting, key=lambda each: (each.vcpus, len(each.name))).name if fitting else ""


def tpu_slice(name: str, size: int) -> tuple[str, str]:
    """The machine type and the topology of a slice, empty where the catalog names none."""
    tpu = catalog.tpu_type(name)
    if tpu is None:
        return "", ""
    chips = size // 2 if name in _CORES else size
    for suffix in _SUFFIXES:
        for machine in tpu.machines:
            for shape in tpu.slices(machine) if machine.endswith(suffix) else ():
                if math.prod(map(int, shape.split("x"))) == chips:
                    return machine, shape
    return "", ""
