"""Names of accelerators in other tools, as machine types."""

from clusterprint import catalog

# Short names, as SkyPilot and XPK have them, and the type of accelerator that is meant.
_SHORT = {
    "a100": "nvidia-tesla-a100",
    "h100": "nvidia-h100-80gb",
    "h100-mega": "nvidia-h100-mega-80gb",
    "h200": "nvidia-h200-141gb",
}


def gpu_machine(name: str, count: int) -> str:
    """The smallest machine type with as many GPUs, empty where there is none."""
    plain = name.lower().replace("_", "-")
    wanted = {_SHORT.get(plain, ""), f"nvidia-{plain}", f"nvidia-tesla-{plain}"}
    found = (each for each in catalog.machines() if each.gpu and each.gpu.accelerator_type in wanted)
    fitting = [each for each in found if each.gpus == count]
    return min(fitting, key=lambda each: (each.vcpus, len(each.name))).name if fitting else ""
