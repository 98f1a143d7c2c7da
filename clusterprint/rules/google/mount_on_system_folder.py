from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.storage import Bucket
from clusterprint.diagnostic import Severity
from clusterprint.rules import _folders
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP066", severity=Severity.ERROR, source=_folders.SOURCE)
def mount_on_system_folder(bucket: Bucket, context: Context) -> Iterator[Finding]:
    """A bucket is mounted on a folder that the operating system needs.

    A mount hides whatever was in the folder. Nodes without their /usr or /etc do not work, and those
    without /home lock everyone out.

    Mount the bucket on a separate folder, for example below /mnt.
    """
    if bucket.mount is not UNSET and _folders.mount_hides_system(bucket.mount):
        yield Finding(
            f"bucket {bucket.name} is mounted on {bucket.mount}, which the operating system needs",
            context.at(bucket, "mount"),
            help=f"mount it on a separate folder, for example /mnt/{bucket.name}",
        )
