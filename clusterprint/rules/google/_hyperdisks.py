"""Created disks of a type that machines are not known to attach."""

from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.words import listed


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
