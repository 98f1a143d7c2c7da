from clusterprint import catalog
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP107", severity=Severity.ERROR, source="Google Cloud: Filestore, supported file system protocols")
def protocol_not_in_tier(made: GoogleVolume | FileClass, context: Context) -> Iterator[Finding]:
    """A basic tier of Filestore has protocol NFS 4.1.

    Basic tiers support NFS 3 only.

    Remove `protocol`, or use tier zonal or regional.
    """
    if made.kind != "filestore":
        return
    tier = catalog.filestore_tier(volumes.tier_name(made))
    if tier and made.protocol == "nfs_v4_1" and not tier.nfs_v4_1:
        yield Finding(
            f"Filestore of tier {made.tier} does not support NFS 4.1",
            context.at(made, "protocol"),
            also=(context.at(made, "tier", text="the tier"),),
            help="remove protocol, or use tier zonal",
        )
