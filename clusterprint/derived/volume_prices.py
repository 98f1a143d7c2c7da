"""Monthly prices of the volumes of a blueprint, from the same lists as in reviews."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import azure_volumes, volumes


def price(volume: GoogleVolume, region: str) -> catalog.MonthlyPrice | None:
    """The cost of a created file system or disk, for a per-node disk of one node.

    None where no price is known, or where it depends on use: of buckets, and of disks in a pool, which is
    paid for in their place.
    """
    if not volume.create:
        return None
    if volume.kind == "disk":
        return _disk(volume, region)
    tier = volumes.tier(volume)
    return tier.price(volumes.size_gib(volume), region) if tier else None


def _disk(volume: GoogleVolume, region: str) -> catalog.MonthlyPrice | None:
    if volume.pool is not UNSET:
        return None
    disk = volumes.provisioned(volume)
    return catalog.disk_price(volumes.disk_type(volume), disk, region) if disk else None


def azure_price(volume: AzureVolume, location: str) -> catalog.MonthlyPrice | None:
    """The cost of a created file system or share; None if no price is known, or it depends on use."""
    if not volume.create or volume.kind == "blob_nfs":
        return None
    if volume.kind == "managed_lustre":
        tier = azure_volumes.lustre_tier(volume)
        return tier.price(azure_volumes.lustre_gib(volume), location) if tier else None
    files = azure_volumes.files(volume)
    return files.price(azure_volumes.share_gib(volume), location) if files else None
