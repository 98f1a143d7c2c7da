from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.google._netapp import or_flex
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "GCP129",
    severity=Severity.ERROR,
    source="GoogleCloudPlatform/cluster-toolkit: NetApp storage pool, Flex Unified",
    firm=True,
)
def netapp_throughput_not_sold(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A NetApp volume has a throughput that its service level does not offer.

    With the levels standard, premium and extreme, throughput follows from the size. A pool of level flex has
    64 MiB/s, and up to 5,120 for a price, with 16 IOPS for each additional MiB/s.

    Remove `throughput_mbps`, use a value in that range, or use level flex.
    """
    level = volumes.netapp_tier(volume) if volume.kind == "netapp" and volume.create else None
    wanted = volume.throughput_mbps
    if level is None or wanted is UNSET:
        return
    least, most = level.min_throughput_mibps, level.max_throughput_mibps
    if not most:
        yield Finding(
            f"the throughput of a NetApp volume of level {volumes.tier_name(volume)} follows from its size",
            context.at(volume, "throughput_mbps"),
            help=f"remove throughput_mbps{or_flex(context)}",
        )
    elif not least <= wanted <= most:
        yield Finding(
            f"a NetApp volume of level {volumes.tier_name(volume)} has {least:,} to {most:,} MiB/s, "
            f"not {wanted:,}",
            context.at(volume, "throughput_mbps"),
            help=f"write {least if wanted < least else most}",
        )
