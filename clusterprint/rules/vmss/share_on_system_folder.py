from pathlib import PurePosixPath

from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.rules import _folders
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# Where the local NVMe disks of a machine are.
_SCRATCH = PurePosixPath("/mnt/resource_nvme")


@rule("AZ062", severity=Severity.ERROR, source=_folders.SOURCE)
def share_on_system_folder(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """A volume is mounted on a folder that the operating system needs, or where the local disks are.

    A mount hides whatever was in the folder. Machines without their /usr or /etc do not work, those without
    /home lock everyone out, and /mnt/resource_nvme is where Docker and caches are, on the local disks.

    Mount the volume on a folder of its own, below /mnt for example.
    """
    path = PurePosixPath(volume.mount)
    local = path == _SCRATCH or _SCRATCH in path.parents or path in _SCRATCH.parents
    if local or _folders.mount_hides_system(volume.mount):
        what = "where the local disks are" if local else "which the operating system needs"
        yield Finding(
            f"volume {volume.name} is mounted on {volume.mount}, {what}",
            context.at(volume, "mount"),
            help=f"mount it on a folder of its own, for example /mnt/{volume.name}",
        )
