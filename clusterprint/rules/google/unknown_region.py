from clusterprint import did_you_mean
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.catalog import region_of, regions
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP090", severity=Severity.ERROR, source="Google Cloud: regions and zones")
def unknown_region(blueprint: GoogleBlueprint, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """There is no region of this name.

    Google would refuse it during deployment, one resource after the other. What depends on the region (where
    machine types are available, which zones there are) cannot be checked.

    Correct the name. Ignore this problem, with a reason, if the region is newer than the catalog: its zones
    are accepted then.
    """
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
