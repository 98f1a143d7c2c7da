from pathlib import PurePosixPath

from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.rules import _folders, _mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# Where the local NVMe disks of a machine are.
_SCRATCH = PurePosixPath("/mnt/resource_nvme")


@rule("AZ062", severity=Severity.ERROR, source=_folders.SOURCE)
def share_on_system_folder(share: Share | AzureVolume, context: Context) -> Iterator[Finding]:
    """A share is mounted on a folder that the operating system needs, or where the local disks are.

    A mount hides whatever was in the folder. Machines without their /usr or /etc do not work, those without
    /home lock everyone out, and /mnt/resource_nvme is where Docker and caches are, on the local disks.

    Mount the share on a folder of its own, below /mnt for example.
    """
    path = PurePosixPath(share.mount)
    local = path == _SCRATCH or _SCRATCH in path.parents or path in _SCRATCH.parents
    if local or _folders.mount_hides_system(share.mount):
        what = "where the local disks are" if local else "which the operating system needs"
        yield Finding(
            f"{_mounts.noun(share)} {share.name} is mounted on {share.mount}, {what}",
            context.at(share, "mount"),
            help=f"mount it on a folder of its own, for example /mnt/{share.name}",
        )
