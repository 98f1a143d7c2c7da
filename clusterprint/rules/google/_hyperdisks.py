"""Messages about created disks: which to take, and how many nodes read one disk."""

from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import UNSET, listed


def unconfirmed(volume: GoogleVolume, machine_type: str) -> str:
    """The help where machines of a type may not attach a disk; empty where nothing speaks against it."""
    if volume.kind != "disk" or not volume.create:
        return ""
    known = catalog.attachable_hyperdisks(machine_type)
    if known is None or volumes.disk_type(volume) in known:
        return ""
    others = "use other machines, or filestore"
    # Hyperdisk ML is what many nodes read, and nothing else is (GCP113)
    writable = [each for each in known if each != "hyperdisk-ml" and volume.access == "read_write"]
    return f"write type: {listed(writable)}; or {others}" if writable else others


def shared(volume: GoogleVolume) -> str:
    """How a disk of each node's own, or one of another type, becomes one that all nodes read."""
    only = volumes.DEFAULT_DISK_TYPES["read_only"]
    added = {
        "access: read_only": volume.access != "read_only",
        f"type: {only}": volume.type not in (UNSET, only),
        "the snapshot that fills it": volume.snapshot is UNSET,
    }
    unused = [key for key in ("iops", "pool") if getattr(volume, key) is not UNSET]
    ways = f"write {listed([text for text, is_missing in added.items() if is_missing], 'and')}"
    return f"{ways}, and remove {listed(unused, 'and')}" if unused else ways
