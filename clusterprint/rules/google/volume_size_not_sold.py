from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules._sizes import nearest, sizes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "GCP103",
    severity=Severity.ERROR,
    source="Google Cloud: Filestore service tiers, Managed Lustre performance tiers, NetApp storage pools, "
    "create a Parallelstore instance",
)
def volume_size_not_sold(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A file system has a size that its tier does not have.

    Each tier has a smallest and a largest size, and steps between them: Filestore's zonal tier has 1 TiB to
    9.75 TiB in steps of 256 GiB and 10 TiB to 100 TiB in steps of 2.5 TiB; Managed Lustre's steps are as
    large as its smallest size; a pool of NetApp Volumes has 2 TiB at least, of level flex 1; a Parallelstore
    has 12,000 to 100,000 GiB in steps of 4,000. The API refuses others, after the network is made.

    Use the next larger or the next smaller size that is available.
    """
    tier = volumes.tier(volume) if volume.create else None
    if tier is None or volume.size_gb is UNSET or tier.band(volume.size_gb):
        return
    yield Finding(
        f"there is no {_tier(volume)}{volume.kind} of {volume.size_gb:,} GiB",
        context.at(volume, "size_gb"),
        help=f"write {nearest(tier, volume.size_gb)}; there are {sizes(tier)}",
    )


def _tier(volume: GoogleVolume) -> str:
    if volume.kind == "lustre":
        return f"{volumes.lustre_throughput(volume)} MB/s per TiB "
    return "" if volume.kind == "parallelstore" else f"{volumes.tier_name(volume)} "
