from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.catalog import region_of
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP001", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def zone_outside_region(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """The zone is not in the region.

    A zone's name is its region's name with a suffix; subnets are created in the region, nodes in the zone, so
    nodes could not join their own network.

    Change the zone or the region.
    """
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
