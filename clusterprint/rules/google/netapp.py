from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.google._netapp import or_flex
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("GCP126", severity=Severity.WARNING)
def netapp_not_known_in_region(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    if volume.kind != "netapp" or not volume.create:
        return
    tier, region = volumes.netapp_tier(volume), context.blueprint.region
    if tier is None or not tier.gib_month or region in tier.gib_month:
        return
    yield Finding(
        f"NetApp Volumes of level {volumes.tier_name(volume)} are not known to be in {region}",
        context.at(volume, "kind"),
        also=(context.at(context.blueprint, "region", text="the region"),),
        help=f"use a filestore; the level is in {listed(sorted(tier.gib_month), 'and')}",
    )


@rule("GCP129", severity=Severity.ERROR, firm=True)
def netapp_throughput_not_sold(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
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
