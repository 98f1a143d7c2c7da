from clusterprint import did_you_mean
from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.catalog import region_of, regions
from clusterprint.diagnostic import Label
from clusterprint.rules.google._places import is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule, values


@rule("GCP091", severity=Severity.ERROR, source="Google Cloud: regions and zones")
def unknown_zone(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """The region has no zone of this name.

    Most regions have zones a, b and c, but not all of them: there is no us-east1-a. Google would refuse the
    zone during deployment, after the network has been made.

    Name a zone of the region. Ignore this problem, with a reason, if the zone is newer than the catalog.
    """
    region = context.blueprint.region
    if region not in regions():
        return  # what is wrong with the region is wrong with its zones
    for zone, place in _zones(part, context):
        if region_of(zone) == region and not is_known(zone):
            yield Finding(
                f"there is no zone {zone}",
                place,
                help=did_you_mean.zone(zone),
                instead=did_you_mean.only("zone", zone),
            )


def _zones(part: Part, context: Context[GoogleBlueprint]) -> Iterator[tuple[str, Label]]:
    """The zones that a part names, of whatever sort it is."""
    zone = getattr(part, "zone", UNSET)
    if zone is not UNSET and zone is not BROKEN:
        yield zone, context.at(part, "zone")
    if getattr(part, "zones", BROKEN) is not BROKEN:
        for index, each in values(part, "zones"):
            yield each, context.at(part, "zones", index)
