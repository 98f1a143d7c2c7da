from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "GCP141",
    severity=Severity.ERROR,
    source="Google Cloud: Filestore service tiers, NetApp Volumes service levels",
    firm=True,
)
def tier_of_other_kind(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A file system has a tier of another kind of file system.

    Filestore has zonal, regional, basic_ssd and basic_hdd; NetApp Volumes has standard, premium,
    extreme and flex.

    Use a tier of its kind, or remove `tier`.
    """
    if volume.tier is UNSET or volume.kind not in volumes.DEFAULT_TIERS:
        return
    known = catalog.tiers_of(volume.kind)
    if volume.tier not in known:
        yield Finding(
            f"a {volume.kind} has no tier {volume.tier}",
            context.at(volume, "tier"),
            help=f"write one of {', '.join(known)}, or remove tier",
        )
