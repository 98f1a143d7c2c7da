from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP105", severity=Severity.ERROR, source="The blueprint language: storage.volumes")
def read_only_volume_empty(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume is created empty, and nothing in the cluster may write to it.

    A file system that is created read-only never has a file in it. A bucket can be filled from elsewhere, and
    a disk from a snapshot.

    Let nodes write to it, name the `snapshot` that a disk is filled from, or use one that exists.
    """
    if volume.access != "read_only" or not volume.create or volume.kind == "bucket":
        return
    if volume.kind == "disk" and volume.snapshot is not UNSET:
        return
    ways = "name the snapshot that fills it, or " if volume.kind == "disk" else ""
    yield Finding(
        f"volume {volume.name} is created empty, and only read",
        context.at(volume, "access"),
        help=f"{ways}remove access: read_only, or use one that exists (create: false)",
    )
