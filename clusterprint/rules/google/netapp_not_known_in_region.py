from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule


@rule("GCP126", severity=Severity.WARNING, source="Google Cloud: NetApp Volumes pricing")
def netapp_not_known_in_region(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """NetApp Volumes of this service level are not in the price list of the region.

    The levels standard, premium and extreme are sold in some regions only. Elsewhere the pool of a volume
    cannot be created, which is noticed only after the network was created. The list is of September 2026, and
    regions are added now and then. Of level flex no list was found.

    Use a region that has the level, or a filestore; or ignore this warning if Google's page about the
    locations of NetApp Volumes names the region.
    """
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
