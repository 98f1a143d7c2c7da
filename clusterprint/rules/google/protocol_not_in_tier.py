from collections.abc import Iterator

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP107", severity=Severity.ERROR, source="Google Cloud: Filestore, supported file system protocols")
def protocol_not_in_tier(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A basic tier of Filestore is asked for NFS 4.1.

    Basic tiers speak NFS 3 only.

    Remove `protocol`, or take tier zonal or regional.
    """
    tier = volumes.filestore_tier(volume) if volume.kind == "filestore" and volume.create else None
    if tier and volume.protocol == "nfs_v4_1" and not tier.nfs_v4_1:
        yield Finding(
            f"Filestore of tier {volume.tier} does not speak NFS 4.1",
            context.at(volume, "protocol"),
            also=(context.at(volume, "tier", text="the tier"),),
            help="remove protocol, or take tier zonal",
        )
