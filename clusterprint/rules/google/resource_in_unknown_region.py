import re

from clusterprint import did_you_mean
from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.catalog import regions
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# Images and charts of Artifact Registry, and what is named in full, such as keys. Multi-regions (us) and
# other places have names of another form.
_REGION = re.compile(
    r"(oci://)?(?P<registry>[a-z]+-[a-z]+[0-9]+)-docker\.pkg\.dev/"
    r"|projects/[^/]+/locations/(?P<location>[a-z]+-[a-z]+[0-9]+)/"
)


@rule("GCP093", severity=Severity.ERROR, source="Google Cloud: regions and zones")
def resource_in_unknown_region(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """The name of an image, a chart or a key contains a region that does not exist.

    Artifact Registry has a host for each region, and keys lie in one. With a region that does not exist,
    images cannot be pulled, and nodes cannot be made.

    Correct the name. Ignore this problem, with a reason, if the region is newer than the catalog.
    """
    for field in part.__struct_fields__:
        value = getattr(part, field)
        match = _REGION.match(value) if value is not BROKEN and isinstance(value, str) else None
        region = match and (match["registry"] or match["location"])
        if region and region not in regions():
            yield Finding(
                f"there is no region {region}", context.at(part, field), help=did_you_mean.region(region)
            )
