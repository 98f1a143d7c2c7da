from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "GCP103",
    severity=Severity.ERROR,
    source="Google Cloud: Filestore service tiers, Managed Lustre performance tiers, NetApp storage pools",
)
def volume_size_not_sold(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A file system has a size that its tier does not have.

    Each tier has a smallest and a largest size, and steps between them: Filestore's zonal tier has 1 TiB to
    9.75 TiB in steps of 256 GiB and 10 TiB to 100 TiB in steps of 2.5 TiB; Managed Lustre's steps are as
    large as its smallest size; a pool of NetApp Volumes has 2 TiB at least. The API refuses others, after the
    network is made.

    Use the next size that is available.
    """
    tier = volumes.tier(volume) if volume.create else None
    if tier is None or volume.size_gb is UNSET or tier.band(volume.size_gb):
        return
    yield Finding(
        f"there is no {_tier(volume)} {volume.kind} of {volume.size_gb:,} GiB",
        context.at(volume, "size_gb"),
        help=f"write size_gb: {tier.nearest(volume.size_gb)}; there are {_sizes(tier)}",
    )


def _tier(volume: GoogleVolume) -> str:
    if volume.kind == "lustre":
        return f"{volumes.lustre_throughput(volume)} MB/s per TiB"
    return volumes.tier_name(volume)


def _sizes(tier: catalog.FilestoreTier | catalog.LustreTier | catalog.NetappTier) -> str:
    return " and ".join(
        f"{each.min_gib:,} to {each.max_gib:,} GiB in steps of {each.step_gib:,}" for each in tier.bands
    )
