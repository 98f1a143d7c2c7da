from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

#: The setting by which something is in a volume from the start, by kind.
_FILLED_FROM = {"disk": "snapshot", "filestore": "source_backup", "lustre": "import_from"}


@rule("GCP105", severity=Severity.ERROR, source="The blueprint language: storage.volumes")
def read_only_volume_empty(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume is created empty, and nothing in the cluster may write to it.

    A file system that is created read-only never has a file in it. A bucket can be filled from elsewhere, a
    disk from a snapshot, a Filestore from a backup, and a Lustre from a bucket.

    Let nodes write to it, set what fills it (`snapshot`, `source_backup`, `import_from`), or use one that
    exists.
    """
    if volume.access != "read_only" or not volume.create or volume.kind == "bucket":
        return
    source = _FILLED_FROM.get(volume.kind)
    if source and getattr(volume, source) is not UNSET:
        return
    way = f"set {source} to fill it, or " if source else ""
    yield Finding(
        f"volume {volume.name} is created empty, and only read",
        context.at(volume, "access"),
        help=f"{way}remove access: read_only, or use one that exists (create: false)",
    )
