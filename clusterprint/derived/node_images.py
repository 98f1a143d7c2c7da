"""The image that machines of a group of `kind: vm` boot from, and its owner."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm_nodes import VmNodes


def default_image(group: VmNodes) -> catalog.Image:
    """The default boot image of a group's machines, with the drivers for their devices."""
    machine = catalog.machine(group.machine_type)
    return catalog.default_image(
        architecture=machine.architecture if machine else "amd64",
        gpu=group.guest_accelerator is not UNSET or bool(machine and machine.gpus),
        fabric=machine.network.fabric if machine else "none",
    )


def project(group: VmNodes) -> str:
    """The project of a group's image, said or not."""
    return default_image(group).project if group.image is UNSET else group.image.project
