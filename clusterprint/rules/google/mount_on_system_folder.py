from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules import _folders
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP066", severity=Severity.ERROR, source=_folders.SOURCE)
def mount_on_system_folder(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume is mounted on a folder that the operating system needs.

    A mount hides whatever was in the folder. Nodes without their /usr or /etc do not work, and those
    without /home lock everyone out. A created or shared Filestore can be /home: people's folders are made
    there when they log in.

    Mount it on a separate folder, for example below /mnt.
    """
    if volume.mount is UNSET or not _folders.mount_hides_system(volume.mount):
        return
    if volume.mount.rstrip("/") == "/home" and volume.kind in ("filestore", "netapp"):
        return
    yield Finding(
        f"volume {volume.name} is mounted on {volume.mount}, which the operating system needs",
        context.at(volume, "mount"),
        help=f"mount it on a separate folder, for example /mnt/{volume.name}",
    )
