import re

from clusterprint import did_you_mean
from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.catalog import region_of, regions
from clusterprint.diagnostic import Label
from clusterprint.rules.google._places import elsewhere, is_known
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule, values


@rule("GCP001", severity=Severity.ERROR, firm=True)
def zone_outside_region(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    if blueprint.zone is UNSET:
        return
    wrong = elsewhere(blueprint.zone, blueprint.region)
    if wrong:
        yield Finding(
            wrong.message,
            context.at(blueprint, "zone"),
            also=(context.at(blueprint, "region", text="the region"),),
            help=wrong.help
            or f"write region: {region_of(blueprint.zone)}, or pick a zone of {blueprint.region}",
        )


@rule("GCP090", severity=Severity.ERROR)
def unknown_region(blueprint: GoogleBlueprint, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    region = blueprint.region
    if region in regions():
        return
    named_alike = given(blueprint.zone) and region_of(blueprint.zone) == region
    yield Finding(
        f"there is no region {region}",
        context.at(blueprint, "region"),
        also=(context.at(blueprint, "zone", text="the zone is named after it"),) if named_alike else (),
        help=did_you_mean.region(region)
        or "`gcloud compute regions list` shows all regions; if the region is newer than the catalog, "
        "ignore this with a reason",
        instead=did_you_mean.only("region", region),
    )


@rule("GCP091", severity=Severity.ERROR)
def unknown_zone(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
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


# Images and charts of Artifact Registry, and what is named in full, such as keys. Multi-regions (us) and
# other places have names of another form.
_REGION = re.compile(
    r"(oci://)?(?P<registry>[a-z]+-[a-z]+[0-9]+)-docker\.pkg\.dev/"
    r"|projects/[^/]+/locations/(?P<location>[a-z]+-[a-z]+[0-9]+)/"
)


@rule("GCP093", severity=Severity.ERROR)
def resource_in_unknown_region(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    for field in part.__struct_fields__:
        value = getattr(part, field)
        match = _REGION.match(value) if value is not BROKEN and isinstance(value, str) else None
        region = match and (match["registry"] or match["location"])
        if region and region not in regions():
            yield Finding(
                f"there is no region {region}", context.at(part, field), help=did_you_mean.region(region)
            )
