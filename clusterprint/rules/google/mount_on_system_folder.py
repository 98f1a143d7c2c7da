from clusterprint.blueprint.storage import Bucket
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules import _folders, _mounts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP066", severity=Severity.ERROR, source=_folders.SOURCE)
def mount_on_system_folder(part: Bucket | GoogleVolume, context: Context) -> Iterator[Finding]:
    """A bucket or another volume is mounted on a folder that the operating system needs.

    A mount hides whatever was in the folder. Nodes without their /usr or /etc do not work, and those
    without /home lock everyone out. A created or shared Filestore can be /home: people's folders are made
    there when they log in.

    Mount it on a separate folder, for example below /mnt.
    """
    if part.mount is UNSET or not _folders.mount_hides_system(part.mount):
        return
    if (
        part.mount.rstrip("/") == "/home"
        and isinstance(part, GoogleVolume)
        and part.kind in ("filestore", "netapp")
    ):
        return
    yield Finding(
        f"{_mounts.noun(part)} {part.name} is mounted on {part.mount}, which the operating system needs",
        context.at(part, "mount"),
        help=f"mount it on a separate folder, for example /mnt/{part.name}",
    )
