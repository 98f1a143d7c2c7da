"""The machines of `kind: vm`: the metadata that Compute Engine hands to them, and the list of their files.

`metadata`, `image_metadata` and `manifest` are all that others need. They depend on nothing but their
arguments and the files beside this one.

A node sets itself up at every boot, in steps. Each step is idempotent; the first failure stops the setup, and
the status on the node and in guest attributes says which step and why. A list in the bucket distributes the
files, not metadata: a changed file reaches running nodes and changes no template. So does the description of
a program that runs over several nodes; its status object is created only if it does not exist, so the program
runs once, whatever is recreated.
"""

from clusterprint.nodes.vm.bundle import startup_script
from clusterprint.nodes.vm.image import image_script
from clusterprint.nodes.vm.manifest import UnsuitableNameError, manifest
from clusterprint.plan.vm_image import ImageSettings
from clusterprint.plan.vm_nodes import NodeSettings

__all__ = (
    "LIMIT",
    "MOUNTED",
    "RESERVED",
    "TOTAL_LIMIT",
    "UnsuitableNameError",
    "image_metadata",
    "manifest",
    "metadata",
)

#: What Compute Engine takes as one value of metadata, and as all metadata of a machine, in bytes.
LIMIT = 262_144
TOTAL_LIMIT = 524_288

_USERS_SCRIPT = "clusterprint-startup-script"

# What Container-Optimized OS reads about its updates.
_COS_UPDATES = "cos-update-strategy"

#: Where nodes read where their file systems are: only Terraform knows.
MOUNTED = "clusterprint-volumes"

#: The keys that belong to clusterprint.
RESERVED = ("startup-script", "enable-guest-attributes", _USERS_SCRIPT, MOUNTED, _COS_UPDATES)


def metadata(settings: NodeSettings) -> dict[str, str]:
    """The metadata of a machine, by key. Who adds it up with other metadata compares it with the limits."""
    ours = {
        "startup-script": startup_script(settings),
        # Where a machine says how far its setup is.
        "enable-guest-attributes": "TRUE",
    }
    if settings.startup_script:
        ours[_USERS_SCRIPT] = settings.startup_script
    if settings.system == "cos" and settings.updates:
        ours[_COS_UPDATES] = "update_disabled"
    return ours


def image_metadata(wanted: ImageSettings) -> dict[str, str]:
    """The metadata of a machine that becomes an image, by key, but for single words."""
    ours = {"startup-script": image_script(wanted)}
    if wanted.settings.startup_script:
        ours[_USERS_SCRIPT] = wanted.settings.startup_script
    return ours
