from clusterprint import did_you_mean
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.catalog import azure_locations
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ070", severity=Severity.ERROR, source="Azure: list of regions")
def unknown_location(blueprint: VmssBlueprint, context: Context[VmssBlueprint]) -> Iterator[Finding]:
    """Azure's public cloud has no location of this name.

    Azure would refuse it with the first resource of the deployment. Azure Government and Azure in China are
    other clouds, which clusterprint does not reach.

    Correct the name. Ignore this problem, with a reason, if the location is newer than the catalog.
    """
    location = blueprint.location
    if location not in azure_locations():
        yield Finding(
            f"Azure has no location {location}",
            context.at(blueprint, "location"),
            help=did_you_mean.azure_location(location)
            or "`az account list-locations` shows all; ignore this, with a reason, if it is newer",
            instead=did_you_mean.only("azure_location", location),
        )
