from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP105", severity=Severity.ERROR, source="The blueprint language: storage.volumes")
def read_only_volume_empty(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume is created empty, and nothing in the cluster may write to it.

    Who creates a file system for reading only gets one without a file in it. A bucket can be filled from
    elsewhere, a disk from a snapshot, a lustre from a bucket, and a filestore from a backup.

    Let nodes write to it, name what it is filled from (`snapshot`, `import_from`, `source_backup`), or use
    one that exists.
    """
    if volume.access != "read_only" or not volume.create or volume.kind == "bucket":
        return
    fillers = {
        "disk": ("snapshot", volume.snapshot),
        "lustre": ("bucket", volume.import_from),
        "filestore": ("backup", volume.source_backup),
    }
    what, given = fillers.get(volume.kind, ("", UNSET))
    if given is not UNSET:
        return
    ways = f"name the {what} that fills it, or " if what else ""
    yield Finding(
        f"volume {volume.name} is created empty, and only read",
        context.at(volume, "access"),
        help=f"{ways}remove access: read_only, or use one that exists (create: false)",
    )
